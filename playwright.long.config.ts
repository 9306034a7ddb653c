import short from "./playwright.config.ts";

/** `npm run test:long`: the slow tests, one after the other, because some tests measure delays. */
export default {
  ...short,
  testDir: "e2e/long",
  workers: 1,
  timeout: 600_000,
  globalTimeout: 4 * 60 * 60_000,
  projects: [
    { name: "long" },
    { name: "features", testDir: "e2e", testMatch: "missing-features.spec.ts", grep: /@full/ },
  ],
};
