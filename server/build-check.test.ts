import { expect, test } from "vitest";
import { builtInFacts, parseConfig } from "#lib/config.ts";
import { differingSettings } from "#server/build-check.ts";

const facts = (env: Record<string, string> = {}) => builtInFacts(parseConfig(env));
/** As a build writes them and a start reads them. */
const recorded = (env: Record<string, string> = {}): unknown =>
  JSON.parse(JSON.stringify(facts(env)));

test("the same settings need no build", () => {
  expect(differingSettings(recorded(), facts())).toEqual([]);
  const env = { BUSINESS_NAME: "차근차근", INQUIRY_PHONE: "010-1111-2222" };
  expect(differingSettings(recorded(env), facts(env))).toEqual([]);
});

test("settings that changed, came or went are named as the operator writes them", () => {
  const before = { INQUIRY_PHONE: "010-1111-2222", BUSINESS_OWNER: "홍길동" };
  const after = { INQUIRY_PHONE: "010-3333-4444", BUSINESS_NAME: "차근차근" };
  expect(differingSettings(recorded(before), facts(after)).toSorted()).toEqual([
    "BUSINESS_NAME",
    "BUSINESS_OWNER",
    "INQUIRY_PHONE",
  ]);
});

test("every built-in fact has the name of its setting", () => {
  const everything = recorded({
    BUSINESS_NAME: "가",
    BUSINESS_OWNER: "가",
    BUSINESS_REGISTRATION: "가",
    BUSINESS_ADDRESS: "가",
    BUSINESS_EMAIL: "a@practice.example",
    ACADEMY_REGISTRATION: "가",
    NAVER_SITE_VERIFICATION: "가",
    GOOGLE_SITE_VERIFICATION: "가",
  });
  for (const name of differingSettings(everything, {})) expect(name).toMatch(/^[A-Z][A-Z_]+( |$)/);
});

test("a setting that no page shows needs no build", () => {
  expect(differingSettings(recorded(), facts({ PORT: "8080", LOG_LEVEL: "debug" }))).toEqual([]);
});
