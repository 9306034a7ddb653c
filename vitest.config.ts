import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { EMPTY_SETTINGS } from "./testing/site/child-env.ts";

/** Tests that run once on SQLite and once on PostgreSQL. */
const ON_BOTH_DATABASES = [
  "lib/delivery/delivery.test.ts",
  "lib/delivery/weekly.test.ts",
  "lib/storage/queries/accept.test.ts",
  "lib/storage/queries/applications.test.ts",
  "lib/delivery/resend.test.ts",
];
const ON_POSTGRES = ["lib/storage/postgres/*.test.ts", "cli/migrate-to-postgres.test.ts"];

/** Under Stryker nothing runs on PostgreSQL: a server for each runner would take long, and notice few more mutants. */
const isMutated = process.env.STRYKER_MUTATOR_WORKER !== undefined;
// The limits are only for a test that never ends: a busy machine exceeds any shorter one. Many mutants make one.
const [TEST_LIMIT_MS, POLL_LIMIT_MS] = isMutated ? [20_000, 5_000] : [120_000, 60_000];

const common = {
  environment: "node",
  restoreMocks: true,
  testTimeout: TEST_LIMIT_MS,
  hookTimeout: TEST_LIMIT_MS,
  // A test that asserts nothing could not fail.
  expect: { poll: { interval: 5, timeout: POLL_LIMIT_MS }, requireAssertions: true },
  // The files of a worker share a process: a process for each file would cost as much as the tests themselves.
  isolate: false,
  setupFiles: "testing/vitest/isolate-test-files.ts",
} as const;
// Any zone but Seoul's: dates must be those of Seoul, whatever the time zone of the process.
const env = { ...EMPTY_SETTINGS, TZ: "America/New_York", LOG_LEVEL: "silent" };

export default defineConfig({
  test: {
    // Vitest by default uses all processors but one, although tests often wait.
    maxWorkers: Math.max(4, availableParallelism()),
    projects: [
      {
        // No test renders styles, and Vite cannot read the plugins that Next's configuration names.
        css: { postcss: {} },
        test: {
          ...common,
          name: "sqlite",
          include: ["{app,build,cli,components,lib,server,testing}/**/*.test.ts"],
          exclude: ON_POSTGRES,
          env,
        },
      },
      {
        test: {
          ...common,
          name: "postgres",
          include: isMutated ? [] : [...ON_BOTH_DATABASES, ...ON_POSTGRES],
          globalSetup: "testing/peers/postgres-for-tests.ts",
          // Runs after the other project: beside its random histories, statements would exceed their time limits.
          sequence: { groupOrder: 1 },
          env,
        },
      },
    ],
  },
});
