import { settingsSchema } from "#lib/environment.ts";

/** Every setting, empty, so that a developer's `.env` adds none: its channels would send to real people. */
export const EMPTY_SETTINGS: Record<string, string> = Object.fromEntries(
  Object.keys(settingsSchema.shape).map((name) => [name, ""]),
);

/** PATH, HOME and TMPDIR of this process, and every setting empty. */
export function buildChildEnv(): Record<string, string> {
  const env = { ...EMPTY_SETTINGS };
  for (const name of ["PATH", "HOME", "TMPDIR"]) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}
