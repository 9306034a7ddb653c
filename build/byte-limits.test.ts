import { expect, test } from "vitest";
import { budgetsOf, faultsOf } from "#build/byte-limits.ts";
import type { FirstLoad } from "#build/first-load.ts";

const KB = 1024;
const BLANK_JS = 132 * KB;
const load: FirstLoad = {
  js: BLANK_JS + 5 * KB,
  html: 15 * KB,
  css: 8 * KB,
  fonts: 50 * KB,
  pictures: 30 * KB,
  elsewhere: [],
};
const faults = (change: Partial<FirstLoad>, hasForm = false) => {
  const changed = { ...load, ...change };
  return faultsOf(budgetsOf(changed, BLANK_JS, hasForm), changed);
};

test("a page within its budgets has no fault", () => {
  expect(faults({})).toEqual([]);
  expect(faults({ js: BLANK_JS + 14 * KB }, true)).toEqual([]);
});

test("20 KB more of JavaScript is a fault on every page", () => {
  expect(faults({ js: load.js + 20 * KB })).toEqual(["js: 157.0 KB of 138.0 KB"]);
  expect(faults({ js: BLANK_JS + 20 * KB }, true)).toEqual(["js: 152.0 KB of 146.0 KB"]);
});

test("each kind has its own limit", () => {
  for (const kind of ["html", "css", "fonts", "pictures"] as const) {
    expect(faults({ [kind]: load[kind] + 20 * KB })).toHaveLength(1);
  }
});

test("a request to another site is a fault", () => {
  expect(faults({ elsewhere: ["https://fonts.example/a.woff2"] })).toHaveLength(1);
});
