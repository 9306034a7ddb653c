import { expect, test } from "vitest";
import { PROVIDER_CHANNELS, type ProviderChannel } from "#lib/channels/names.ts";
import { fillSections } from "#lib/content/policy.ts";
import { policySections } from "#lib/content/privacy-page.ts";

const sections = [
  { heading: "처리하는 곳", lines: ["상호 | {name}", "대표 | {owner}"] },
  { heading: "맡기는 곳", needs: "carrier", intro: "아래에 맡깁니다.", lines: ["미국"] },
];

test.each([
  [{}, []],
  [{ name: "차근차근" }, ["처리하는 곳"]],
  [{ carrier: "sms" }, ["맡기는 곳"]],
])("the privacy policy has only the sections to which %o gives values", (places, headings) => {
  const known = fillSections(sections, places);
  expect(known.map(({ heading }) => heading)).toEqual(headings);
  expect(JSON.stringify(known)).not.toContain("{owner}");
});

test("the privacy policy claims nothing that is not configured", () => {
  const places = { name: "차근차근", inquiryPhone: "010-0000-0000", retentionDays: 90 };
  const text = (more = {}) => JSON.stringify(fillSections(policySections, { ...places, ...more }));
  expect(text()).not.toMatch(/암호화|대표|상호|이메일|Twilio|위탁|사진|\{owner/);
  expect(text({ encrypted: "암호화된 연결" })).toContain("암호화된 연결로");
  expect(text({ photoHost: "photos.example" })).toContain("일부 사진은 photos.example에서");
});

/** The placeholder of the section that names the company behind a channel, if it is not the channel's name. */
const COMPANIES: Partial<Record<ProviderChannel, string>> = { mail: "processors" };

test.each(PROVIDER_CHANNELS)(
  "the privacy policy has a section on the company behind the channel %s",
  (name) => {
    expect(policySections.map(({ needs }) => needs)).toContain(COMPANIES[name] ?? name);
  },
);
