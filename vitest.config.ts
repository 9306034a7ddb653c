import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{app,components,lib,scripts,server}/**/*.test.ts", "e2e/peers/**/*.test.ts"],
    environment: "node",
    // The dates of the product are Seoul's wherever the machine stands.
    env: { TZ: "America/New_York", LOG_LEVEL: "silent" },
    restoreMocks: true,
    testTimeout: 15_000,
  },
});
