/**
 * Puts a line in front of each script of a build. Chromium (from version 136 on) then compiles all functions of the
 * script while it loads, on another thread. Otherwise the first call of each function compiles it on the thread that
 * also answers taps: a slow phone stood still for 150 ms when a page started. Other browsers read a comment.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";

const COMPILE_HINT = "//# allFunctionsCalledOnLoad\n";

for (const file of globSync(".next/static/chunks/**/*.js")) {
  const code = readFileSync(file, "utf8");
  if (!code.startsWith(COMPILE_HINT)) writeFileSync(file, COMPILE_HINT + code);
}
