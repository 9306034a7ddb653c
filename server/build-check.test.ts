import { expect, test } from "vitest";
import { builtInFacts, parseConfig } from "#lib/config.ts";
import { differingSettings } from "#server/build-check.ts";

const facts = (env: Record<string, string> = {}) => builtInFacts(parseConfig(env));
/** As a build writes them and a start reads them. */
const recorded = (env: Record<string, string> = {}) => JSON.parse(JSON.stringify(facts(env)));

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

test("a setting that no page shows needs no build", () => {
  expect(differingSettings(recorded(), facts({ PORT: "8080", LOG_LEVEL: "debug" }))).toEqual([]);
});
