/**
 * `npm run test:mutants`, after a build, changes the delivery and the queries in one place after the other, and lists
 * the changes that no unit test notices. A program that a test starts as its own process is not changed.
 *   npm run test:mutants -- --mutate lib/delivery/rule.ts,lib/intake/limits.ts:20-60
 */
import { env } from "node:process";

/** A hundred histories for each of the two files `lib/delivery/model*.test.ts`: enough to notice most breakages. */
env.DELIVERY_HISTORIES ??= "200";
env.DELIVERY_SEED ??= "1";

/** Few tests compare the words and fields of a log line. */
const isLogCall = (path) => path.isExpressionStatement() && /^log[.[]/.test(path.toString());
const shouldIgnore = (path) => (isLogCall(path) ? "a log line" : undefined);
/** Stryker looks for an export of this name: a plugin that leaves log lines as they are. */
export const strykerPlugins = [{ kind: "Ignore", name: "log", value: { shouldIgnore } }];

export default {
  mutate: ["lib/{delivery,storage/queries}/**/*.ts", "!**/*.test.ts"],
  mutator: { plugins: null, excludedMutations: ["StringLiteral"] },
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner", import.meta.filename],
  ignorers: ["log"],
  reporters: ["clear-text", "progress-append-only"],
  clearTextReporter: { logTests: false, reportTests: false },
  concurrency: 2,
  timeoutMS: 60_000,
  // A mutant of a constant outside all functions runs every test. They take six sevenths of the time of all mutants.
  ignoreStatic: true,
  thresholds: { high: 95, low: 85, break: 85 },
  tempDirName: "test-results/mutants",
  ignorePatterns: [".next", "data", "test-results"],
  // TypeScript 7 has no interface for programs, and there is nothing to adapt in its settings.
  tsconfigFile: "none",
};
