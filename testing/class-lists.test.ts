/** A class list that does not fit on a line and a half is a look without a name: app/components.css gives it one. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const LONGEST = 160;

/** Long strings that are no class lists, each with its reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "components/ui/icons.tsx": "the drawings of the icons",
  "components/layout/brand.tsx": "the drawing of the steering wheel",
};

const TERM = /"[^"\n]*"|`[^`]*`|\w+/.source;
const SUM = `(?:${TERM})(?:\\s*\\+\\s*(?:${TERM}))*`;
const CONSTANT = new RegExp(`\\bconst (\\w+) =\\s*(${SUM});`, "g");

const matches = (text: string, pattern: string) => text.match(new RegExp(pattern, "g")) ?? [];

/** The strings of a source file, joined as in the browser: sums and templates, with the file's own constants in place. */
function stringsIn(source: string): string[] {
  const constants = new Map<string, string>();
  const joined = (sum: string): string => matches(sum, TERM).map(textOf).join("");
  const textOf = (term: string): string => {
    if (term.startsWith('"')) return term.slice(1, -1);
    if (!term.startsWith("`")) return constants.get(term) ?? "";
    return term.slice(1, -1).replace(/\$\{([^}]*)\}/g, (_, place: string) => longest(place));
  };
  /** Of a choice, the longest. */
  const longest = (place: string): string =>
    matches(place, TERM)
      .map(textOf)
      .reduce((one, other) => (other.length > one.length ? other : one), "");
  for (const [, name = "", sum = ""] of source.matchAll(CONSTANT)) constants.set(name, joined(sum));
  return [...new Set(matches(source, SUM).map(joined))];
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

test("a longer one is found, in quotes and in a template, also when it is put together", () => {
  const classes = "flex ".repeat(33);
  const half = "flex ".repeat(17);
  expect(tooLong(`<p className="${classes}">`)).toHaveLength(1);
  expect(tooLong(`const LOOK = \`${classes} \${more}\`;`)).toHaveLength(1);
  expect(tooLong(`<p className={"${half}" + "${half}"}>`)).toHaveLength(1);
  expect(tooLong(`const HALF =\n  "${half}";\n<p className={\`\${HALF} ${half}\`}>`)).toHaveLength(
    1,
  );
  expect(tooLong(`<p className={\`${half} \${on ? "flex" : "${half}"}\`}>`)).toHaveLength(1);
  expect(tooLong(`<p className="flex">`)).toEqual([]);
  expect(tooLong(`const HALF = "${half}";\n<p className={\`\${HALF} flex\`}>`)).toEqual([]);
});

test("each exception is still needed", () => {
  for (const file of Object.keys(EXCEPTIONS)) {
    expect(tooLong(readFileSync(file, "utf8")), file).not.toEqual([]);
  }
});
