import { expect, test } from "vitest";
import { parseConfig } from "#lib/config.ts";
import { bannerLines, welcome } from "#server/banner.ts";

const FACTS = {
  BUSINESS_NAME: "차근차근",
  BUSINESS_OWNER: "김여주",
  BUSINESS_REGISTRATION: "123-45-67890",
  BUSINESS_ADDRESS: "경기도 여주시",
  BUSINESS_EMAIL: "a@practice.example",
  ACADEMY_REGISTRATION: "제1호",
};

test.each(Object.keys(FACTS))("a start without %s says so", (missing) => {
  const lines = bannerLines(parseConfig({ ...FACTS, [missing]: "" })).join("\n");
  expect(lines).toContain(missing);
  for (const set of Object.keys(FACTS).filter((name) => name !== missing)) {
    expect(lines).not.toContain(set);
  }
});

test("a start with all of them is silent about them", () => {
  expect(bannerLines(parseConfig(FACTS)).join("\n")).not.toContain("Not set");
});

test("a person at a terminal reads the address, where messages go, and how to stop, in a few lines", () => {
  const lines = welcome(parseConfig({}), 3000).split("\n");
  expect(lines.length).toBeLessThan(12);
  expect(lines.join("\n")).toMatch(
    /http:\/\/localhost:3000[\s\S]*written to data\/outbox[\s\S]*Ctrl\+C stops it/,
  );
  expect(lines.join("")).not.toContain("{");
});

test("a start at a public address names what visitors should not see; one at localhost does not", () => {
  const lines = (settings: Record<string, string>) => bannerLines(parseConfig(settings)).join("\n");
  const embarrassing =
    /INQUIRY_PHONE is not set|invented name|pictures of the gallery are samples/g;
  expect(lines({}).match(embarrassing)).toBeNull();
  const SITE_URL = "https://practice.example";
  expect(lines({ SITE_URL }).match(embarrassing)).toHaveLength(3);
  expect(lines({ SITE_URL, INQUIRY_PHONE: "010-1234-5678" })).not.toContain("INQUIRY_PHONE");
  expect(lines({ TRUSTED_PROXY_HOPS: "1" })).toContain("SITE_URL is http://localhost:3000");
});
