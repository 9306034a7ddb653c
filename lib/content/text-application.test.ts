import { expect, it } from "vitest";
import { type FieldName, SUMMARY_FIELDS } from "#lib/application/fields.ts";
import { checkField } from "#lib/application/rules.ts";
import { exampleApplicationValues } from "#lib/content/home-page.ts";
import { blankTextApplication, textApplicationFields } from "#lib/content/text-application.ts";

it("the blank text message has a line for each field", () => {
  const [title, name, ...others] = blankTextApplication.split("\n");
  expect(title).not.toContain(":");
  expect(name).toBe("이름: ");
  expect(others).toHaveLength(SUMMARY_FIELDS.length);
  for (const line of others) expect(line).toMatch(/^[가-힣 ]+: $/);
});

it("the example of a text message has a valid value for each field but the date", () => {
  const example: Partial<Record<FieldName, string>> = exampleApplicationValues;
  const others = textApplicationFields.filter((field) => field !== "preferredDate");
  const problems = others.map((field) => checkField("contact", field, example[field]).problem);
  expect(problems.filter(Boolean)).toEqual([]);
  expect(others.filter((field) => !example[field])).toEqual([]);
});
