/**
 * The pages are prerendered: they show the number, the names and the like as they were when the site was
 * built. A start with other settings would serve the old ones, so it is refused.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { builtInFacts, type Config } from "#lib/config.ts";
import { StartFault } from "#server/start-fault.ts";

const BUILD_MARK = ".next/BUILD_ID";
/** Written after every build by build/record.ts. */
export const BUILT_IN_FACTS_FILE = ".next/built-in-facts.json";

/** @throws StartFault when there is no build, or when it shows other facts than the configuration. */
export function checkBuild(config: Config): void {
  const differing = settingsThatDiffer(config);
  if (differing === undefined) {
    throw new StartFault("There is no build to serve. Run `npm run build` first.");
  }
  if (differing.length === 0) return;
  throw new StartFault(
    `The pages were built with another ${differing.join(", ")}. Run \`npm run build\`, then start again.`,
  );
}

/** The settings in which the build in this folder differs; undefined when there is no build. */
export function settingsThatDiffer(config: Config, folder = "."): string[] | undefined {
  const facts = join(folder, BUILT_IN_FACTS_FILE);
  if (!existsSync(join(folder, BUILD_MARK)) || !existsSync(facts)) return undefined;
  return differingSettings(JSON.parse(readFileSync(facts, "utf8")), builtInFacts(config));
}

/** The settings in which two sets of facts differ; what is not set is left out in JSON. */
export function differingSettings(
  built: Readonly<Record<string, unknown>>,
  current: Readonly<Record<string, unknown>>,
): string[] {
  const names = new Set([...Object.keys(built), ...Object.keys(current)]);
  return [...names].filter((name) => built[name] !== current[name]);
}
