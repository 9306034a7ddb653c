/** Test files run one after the other in the same process. Each has modules, settings and globals of its own. */
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
