import { defineConfig } from "@playwright/test";
import { WITH_WINDOWS, WITHOUT_WINDOWS } from "./testing/browser/chromium.ts";
import { engineHere } from "./testing/browser/engines/engine-here.ts";
import { ENGINES } from "./testing/browser/engines/tab.ts";
import type { PerEngine } from "./testing/browser/engines/test.ts";

const missing = ENGINES.filter((name) => !engineHere(name));
// The workers read this file too.
if (missing.length > 0 && !process.env.TEST_WORKER_INDEX)
  console.info(`Nothing is tested in ${missing.join(" and ")}, which this machine does not have.`);

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const BACKGROUND_SYNC = "**/e2e/background-sync.spec.ts";

export default defineConfig<object, PerEngine>({
  testDir: "e2e",
  globalSetup: "./testing/site/warm-up.ts",
  fullyParallel: true,
  forbidOnly: true,
  // One more than the processors of a small machine: tests wait for panels, messages and restarts too.
  workers: 3,
  retries: 0,
  // A time limit is for what never ends: a busy machine exceeds every other.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: "list",
  use: {
    locale: "ko-KR",
    timezoneId: "Asia/Seoul",
    // To record takes a quarter of the time: TRACE=on npm run e2e -- e2e/pages.spec.ts
    trace: process.env.TRACE ? "retain-on-failure" : "off",
    screenshot: "only-on-failure",
    // Requests that a worker passes on cannot be watched; the tests about it let it in.
    serviceWorkers: "block",
    launchOptions: WITHOUT_WINDOWS,
  },
  projects: [
    // First, because each of them has one worker: they would be left over at the end.
    ...ENGINES.filter((name) => !missing.includes(name)).map((engineName) => ({
      name: engineName,
      testDir: "e2e/engines",
      // One start of the browser, and of the server, for all its tests.
      workers: 1,
      // WebKitGTK's driver stops answering once in some hundred tests. The list calls such a test flaky.
      retries: engineName === "webkit" ? 1 : 0,
      use: { engineName, trace: "off" as const },
    })),
    // Chromium without windows has no Background Sync.
    {
      name: "windows",
      testMatch: BACKGROUND_SYNC,
      use: { ...PHONE, launchOptions: WITH_WINDOWS },
    },
    {
      name: "phone",
      // See playwright.long.config.ts.
      testIgnore: ["**/e2e/engines/**", "**/e2e/long/**", BACKGROUND_SYNC],
      use: PHONE,
    },
  ],
});
