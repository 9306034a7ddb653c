/** Name of the environment variable with the id of the active mutant, if a run of the mutants has set it. */
export const MUTANT_SWITCH = "__STRYKER_ACTIVE_MUTANT__";

/** The variables of this process that each started process needs. */
export function buildChildEnv(): Record<string, string> {
  const names = ["PATH", "HOME", "TMPDIR", MUTANT_SWITCH];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
