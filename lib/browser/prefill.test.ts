import { expect, test } from "vitest";
import { parsePrefill } from "#lib/browser/prefill.ts";
import { prefilledFormHref } from "#lib/content/links.ts";
import { offers } from "#lib/content/prices.ts";
import { regionId, regions } from "#lib/content/regions.ts";

const there = regions.find(({ isPhoneOnly }) => !isPhoneOnly) ?? { name: "", romanised: "" };
test.each<[search: string, choices: { region?: string; carType?: string; words?: string }]>([
  ["", {}],
  ["?car=midsize", { carType: "training", words: "중형 연수차 희망" }],
  ["?car=suv&wish=parking", { carType: "training", words: "SUV 연수차 희망" }],
  ["?car=truck", {}],
  ["?wish=parking", { words: "주차 연습" }],
  [
    `?wish=night&region=${regionId(there.romanised)}`,
    { region: there.name, words: "야간 운전 연습" },
  ],
  ["?wish=", {}],
  ["?region=nowhere", {}],
])("the link %j prefills %j", (search, { region, carType, words }) => {
  const { wish, ...choices } = parsePrefill(search);
  expect({ ...choices, words: wish?.words }).toEqual({ region, carType, words });
});

test.each(offers)("the button of the price ticket $title prefills its car", ({ id, group }) => {
  const { carType, wish } = parsePrefill(
    new URL(prefilledFormHref({ car: id }), "http://site").search,
  );
  expect({ carType, car: wish?.car }).toEqual({
    carType: group,
    car: group === "own" ? undefined : id,
  });
});

test.each(regions)("a link for $name prefills the region only if the form offers it", (region) => {
  const { name, romanised, isPhoneOnly } = region;
  expect(parsePrefill(`?region=${regionId(romanised)}`).region).toBe(
    isPhoneOnly ? undefined : name,
  );
});
