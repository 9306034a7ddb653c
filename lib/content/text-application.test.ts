import { expect, it } from "vitest";
import { SUMMARY_FIELDS } from "#lib/application/fields.ts";
import { blankTextApplication } from "#lib/content/text-application.ts";

it("the blank text message has a line for each field", () => {
  const [title, name, ...others] = blankTextApplication.split("\n");
  expect(title).not.toContain(":");
  expect(name).toBe("이름: ");
  expect(others).toHaveLength(SUMMARY_FIELDS.length);
  for (const line of others) expect(line).toMatch(/^[가-힣 ]+: $/);
});
