/** A file that is longer than this is about more than one thing, tests included. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const MOST_LINES = 250;
const OURS = "*.{ts,tsx,mjs,css,py,sh,c}";
const ROOMS = "{app,build,cli,components,deploy,e2e,lib,measure,server,testing}";
/** Written by Next. */
const GENERATED = ["next-env.d.ts"];

const files = [
  ...globSync(OURS),
  ...globSync(`${ROOMS}/**/${OURS}`, { exclude: ["**/node_modules/**"] }),
].filter((file) => !GENERATED.includes(file));

test("no file of ours has more than 250 lines", () => {
  // A room whose name has changed would not be looked at.
  expect(files.length).toBeGreaterThan(600);
  const lines = (file: string) => readFileSync(file, "utf8").trimEnd().split("\n").length;
  const long = files.filter((file) => lines(file) > MOST_LINES);
  expect(long.map((file) => `${file}: ${lines(file)}`)).toEqual([]);
});
