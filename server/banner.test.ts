import { expect, test } from "vitest";
import { BUSINESS_FACTS, parseConfig } from "#lib/config.ts";
import { bannerLines } from "#server/banner.ts";

const lines = (settings: Record<string, string>) => bannerLines(parseConfig(settings)).join("\n");
const FACTS = Object.fromEntries(BUSINESS_FACTS.map((name) => [name, "a@practice.example"]));
const MAIL = { SMTP_URL: "smtp://localhost", MAIL_FROM: "a@b.example", MAIL_TO: "a@b.example" };
const SITE_URL = "https://practice.example";
const EMBARRASSING = /INQUIRY_PHONE is not set|invented name|pictures of the gallery are samples/g;

test.for(BUSINESS_FACTS)("a start without %s names it, and no other fact", (missing) => {
  const named = BUSINESS_FACTS.filter((name) => lines({ ...FACTS, [missing]: "" }).includes(name));
  expect(named).toEqual([missing]);
});

test("a start with all of them is silent about them", () => {
  expect(lines(FACTS)).not.toContain("Not set");
});

test("a start says where applications go", () => {
  expect(lines({})).toMatch(/^SMS and mail are not configured: .*written to data\/outbox/);
  expect(lines(MAIL)).toMatch(/^Mail: SMTP by localhost\nSMS is not configured: .*by mail/);
});

test("a start at a public address names what visitors should not see; one at localhost does not", () => {
  expect(lines({}).match(EMBARRASSING)).toBeNull();
  expect(lines({ SITE_URL }).match(EMBARRASSING)).toHaveLength(3);
  expect(lines({ SITE_URL, INQUIRY_PHONE: "010-1234-5678" })).not.toContain("INQUIRY_PHONE");
  expect(lines({ TRUSTED_PROXY_HOPS: "1" })).toContain("SITE_URL is http://localhost:3000");
});
