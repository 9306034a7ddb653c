import { settingsSchema } from "#lib/environment.ts";

/** Name of the environment variable with the id of the active mutant, if a run of the mutants has set it. */
export const MUTANT_SWITCH = "__STRYKER_ACTIVE_MUTANT__";

/** Every setting, empty: a developer's `.env`, whose channels lead to real people, completes only what is missing. */
export const EMPTY_SETTINGS: Record<string, string> = Object.fromEntries(
  Object.keys(settingsSchema.shape).map((name) => [name, ""]),
);

/** The variables of this process that each started process needs, and empty settings. */
export function buildChildEnv(): Record<string, string> {
  const env = { ...EMPTY_SETTINGS };
  for (const name of ["PATH", "HOME", "TMPDIR", MUTANT_SWITCH]) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}
