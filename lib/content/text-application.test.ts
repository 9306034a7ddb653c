import { expect, it } from "vitest";
import { SUMMARY_FIELDS } from "#lib/application/fields.ts";
import { blankApplication } from "#lib/content/text-application.ts";

it("the blank text message has a line for each field", () => {
  const [title, name, ...others] = blankApplication.split("\n");
  expect(title).not.toContain(":");
  expect(name).toBe("이름: ");
  expect(others).toHaveLength(SUMMARY_FIELDS.length);
  for (const line of others) expect(line).toMatch(/^[가-힣 ]+: $/);
});
