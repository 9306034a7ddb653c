/** Gives each test file its own modules and settings, and each test real timers and globals, in one process. */
import fc from "fast-check";
import { afterAll, afterEach, vi } from "vitest";

// By default every run tries the same cases, so that a fault is found by the change that makes it.
fc.configureGlobal({ seed: 1, numRuns: 1_000 });
const settings = { ...process.env };
vi.resetModules();

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in settings)) delete process.env[name];
  Object.assign(process.env, settings);
});
