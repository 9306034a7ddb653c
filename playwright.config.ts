import { defineConfig } from "@playwright/test";
import { FULL_BROWSER_OPTIONS, HEADLESS_SHELL_OPTIONS } from "./testing/browser/chromium.ts";
import { findEngineStarter } from "./testing/browser/engines/engine-here.ts";
import { ENGINES } from "./testing/browser/engines/tab.ts";
import type { EngineFixtures } from "./testing/browser/engines/test.ts";

// Leaves out the engines that this machine lacks. With EVERY_TEST set they stay, and their tests fail.
const missing = process.env.EVERY_TEST ? [] : ENGINES.filter((name) => !findEngineStarter(name));
// Playwright's workers read this file too, but only the main process reports missing engines.
if (missing.length > 0 && !process.env.TEST_WORKER_INDEX)
  console.info(`Nothing is tested in ${missing.join(" and ")}, which this machine does not have.`);

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const BACKGROUND_SYNC = "**/e2e/background-sync.spec.ts";

export default defineConfig<object, EngineFixtures>({
  testDir: "e2e",
  globalSetup: "./testing/site/warm-up.ts",
  fullyParallel: true,
  forbidOnly: true,
  // Three workers suit a machine with two processors, because tests often wait.
  workers: 3,
  // WebKitGTK's driver stops answering once in several hundred tests, and a test may still have an unknown race. The
  // report lists a test that passes only the second time as flaky.
  retries: 1,
  // The limit is only for a test that never ends: a busy machine exceeds any shorter limit.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: "list",
  use: {
    locale: "ko-KR",
    timezoneId: "Asia/Seoul",
    // A trace costs a quarter of a run's time. To record one: TRACE=on npm run e2e -- e2e/pages.spec.ts
    trace: process.env.TRACE ? "retain-on-failure" : "off",
    screenshot: "only-on-failure",
    // Playwright cannot intercept requests of a service worker. Tests of the service worker set `allow`.
    serviceWorkers: "block",
    launchOptions: HEADLESS_SHELL_OPTIONS,
  },
  projects: [
    // The engines run first, because each of them has only one worker.
    ...ENGINES.filter((name) => !missing.includes(name)).map((engineName) => ({
      name: engineName,
      testDir: "e2e/engines",
      // All tests of an engine share one browser and one server.
      workers: 1,
      use: { engineName, trace: "off" as const },
    })),
    // Background Sync needs the full browser: Chromium's headless shell lacks it.
    {
      name: "windows",
      testMatch: BACKGROUND_SYNC,
      use: { ...PHONE, launchOptions: FULL_BROWSER_OPTIONS },
    },
    {
      name: "phone",
      testIgnore: ["**/e2e/engines/**", "**/e2e/long/**", BACKGROUND_SYNC],
      use: PHONE,
    },
  ],
});
