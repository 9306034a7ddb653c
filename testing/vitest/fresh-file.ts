/** Gives each test file its own modules, settings and globals, although all files share a process. */
import { afterAll, vi } from "vitest";

const settings = { ...process.env };
vi.resetModules();
globalThis.drivingPractice = undefined;

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  for (const name of Object.keys(process.env)) if (!(name in settings)) delete process.env[name];
  Object.assign(process.env, settings);
});
