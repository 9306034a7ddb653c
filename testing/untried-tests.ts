/** The last step of `npm test`: lists the tests that this machine cannot run. With EVERY_TEST set, one is a failure. */
import { globSync, readFileSync } from "node:fs";
import { env } from "node:process";
import { BROWSERS } from "#testing/browser/browsers.mjs";
import { findEngineStarter } from "#testing/browser/engines/engine-here.ts";
import { ENGINES } from "#testing/browser/engines/tab.ts";
import { findLacking } from "#testing/site/machine.ts";

const files = globSync("{app,build,cli,components,lib,server,testing}/**/*.test.ts");
const leftOut = [
  ...findLacking().flatMap(({ call, remedy }) =>
    files
      .filter((file) => readFileSync(file, "utf8").includes(call))
      .map((file) => `tests of ${file}, which need ${remedy}`),
  ),
  ...ENGINES.filter((name) => !findEngineStarter(name)).map(
    (name) => `e2e/engines in ${name}, which needs ${BROWSERS[name].packages.join(", ")}`,
  ),
];
for (const each of leftOut.toSorted()) console.info(`not tried here: ${each}`);
if (leftOut.length === 0) console.info("Nothing was left out.");
if (leftOut.length > 0 && env.EVERY_TEST) process.exitCode = 1;
