import { settingsSchema } from "#lib/environment.ts";

/** Every setting, empty: a developer's `.env`, whose channels lead to real people, completes only what is missing. */
export const EMPTY_SETTINGS: Record<string, string> = Object.fromEntries(
  Object.keys(settingsSchema.shape).map((name) => [name, ""]),
);

/** The variables of this process that each started process needs, and empty settings. */
export function buildChildEnv(): Record<string, string> {
  const env = { ...EMPTY_SETTINGS };
  for (const name of ["PATH", "HOME", "TMPDIR"]) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}
