/** A class list that does not fit on a line and a half is a look without a name: app/components.css gives it one. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const LONGEST = 160;

/** Long strings that are no class lists, each with its reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "components/ui/icons.tsx": "the drawings of the icons",
  "components/layout/brand.tsx": "the drawing of the steering wheel",
};

const STRING = /"([^"\n]*)"|`([^`]*)`/g;

/** The strings of a source file; of a template, what stands between its places. */
function stringsIn(source: string): string[] {
  return [...source.matchAll(STRING)].map(([, text, template]) =>
    text === undefined ? (template ?? "").replace(/\$\{[^}]*\}/g, "") : text,
  );
}

function tooLong(source: string): string[] {
  return stringsIn(source).filter((text) => text.length > LONGEST);
}

const files = globSync("{app,components}/**/*.tsx").sort();

test(`no class list of a component is longer than ${LONGEST} characters`, () => {
  expect(files.length).toBeGreaterThan(50);
  const found = files
    .filter((file) => !(file in EXCEPTIONS))
    .flatMap((file) => tooLong(readFileSync(file, "utf8")).map((text) => `${file}: ${text}`));
  expect(found).toEqual([]);
});

test("a longer one is found, in quotes and in a template", () => {
  const classes = "flex ".repeat(33);
  expect(tooLong(`<p className="${classes}">`)).toHaveLength(1);
  expect(tooLong(`const LOOK = \`${classes} \${more}\`;`)).toHaveLength(1);
  expect(tooLong(`<p className="flex">`)).toEqual([]);
});

test("each exception is still needed", () => {
  for (const file of Object.keys(EXCEPTIONS)) {
    expect(tooLong(readFileSync(file, "utf8")), file).not.toEqual([]);
  }
});
