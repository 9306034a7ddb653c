/** The rules of CONTRIBUTING.md for the titles of tests, for comments and for names. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const MAX_TITLE_LENGTH = 80;
const TITLE_WITHOUT_SUBJECT_PATTERN =
  /^(what|that|who|whose|whoever|whatever|of|in|at|with|by|where|whether|as)\b/i;
const TEST_TITLE_PATTERN =
  /(?:^|\s)(?:test\w*|it)(?:\.[a-z]+)*(?:<[\s\S]*?>)??(?:\([\s\S]*?\))??\(\s*(["'`])((?:(?!\1)[^\\]|\\.)+)\1/gi;

function unclearTitles(source: string): string[] {
  return [...source.matchAll(TEST_TITLE_PATTERN)]
    .map(([, , title = ""]) => title)
    .filter(
      (title) =>
        title.length > MAX_TITLE_LENGTH ||
        title.includes(";") ||
        TITLE_WITHOUT_SUBJECT_PATTERN.test(title),
    );
}

function exportedNames(source: string): string[] {
  const declarations =
    /^export (?:async )?(?:function\*?|const|class|interface|type|enum) ([A-Za-z0-9_]+)/gm;
  return [...source.matchAll(declarations)].map(([, name = ""]) => name);
}

const FOLDERS = "{app,build,cli,components,e2e,lib,measure,server,testing}";
const SOURCES = [
  ...globSync("*.{ts,mjs}"),
  ...globSync(`${FOLDERS}/**/*.{ts,tsx,mjs,css}`, {
    exclude: ["**/node_modules/**", "**/*.d.ts", "**/wording.test.ts"],
  }),
].map((file) => ({ file, source: readFileSync(file, "utf8") }));
const isTest = (file: string) => /\.(test|spec)\.tsx?$/.test(file);

test.each([
  ["what is kept is sent", 1],
  ["the form is sent; the notice goes", 1],
  ["a".repeat(81), 1],
  ["fails over to mail after 15 minutes of silence", 0],
])("the check of the title '%s' finds so many faults: %i", (title, count) => {
  expect(unclearTitles(`test("${title}", () => {});`)).toHaveLength(count);
});

test("every title of a test has a subject, no semicolon and at most 80 characters", () => {
  const found = SOURCES.filter(({ file }) => isTest(file)).flatMap(({ file, source }) =>
    unclearTitles(source).map((title) => `${file}: ${title}`),
  );
  expect(found).toEqual([]);
});

const COMMENT_LINE_PATTERN = /^ *(\/\/|\/?\*)/;

test("no line of a comment is longer than 120 characters", () => {
  const long = SOURCES.flatMap(({ file, source }) =>
    source
      .split("\n")
      .filter(
        (line) => line.length > 120 && COMMENT_LINE_PATTERN.test(line) && !line.includes("https:"),
      )
      .map((line) => `${file}: ${line}`),
  );
  expect(long).toEqual([]);
});

test("no two files of the product export the same name", () => {
  const files = new Map<string, string[]>();
  for (const { file, source } of SOURCES) {
    if (!/^(lib|server|cli|components)\//.test(file) || isTest(file)) continue;
    for (const name of exportedNames(source)) files.set(name, [...(files.get(name) ?? []), file]);
  }
  const twice = [...files].filter(([, where]) => where.length > 1);
  expect(twice).toEqual([]);
});
