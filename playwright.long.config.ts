import short from "./playwright.config.ts";

/** `npm run test:long`: what needs time. One after the other, because some measure how long people wait. */
export default {
  ...short,
  testDir: "e2e/long",
  workers: 1,
  timeout: 600_000,
  globalTimeout: 60 * 60_000,
  projects: [{ name: "long" }],
};
