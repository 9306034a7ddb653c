/** A class list that does not fit on a line and a half is a look without a name: app/components.css gives it one. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** What a drawing's path is made of is no class list. */
const LONG_TEXT = /["`](?![MmLlHhVvCcSsQqTtAaZz\d\s.,-]+["`])[^"`\n]{161,}["`]/g;

test("no class list of a component is longer than 160 characters", () => {
  const files = globSync("{app,components}/**/*.tsx");
  expect(files.length).toBeGreaterThan(50);
  const found = files.flatMap((file) => readFileSync(file, "utf8").match(LONG_TEXT) ?? []);
  expect(found).toEqual([]);
  expect(`<p className="${"flex ".repeat(33)}">`).toMatch(LONG_TEXT);
});
