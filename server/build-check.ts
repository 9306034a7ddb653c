/**
 * The pages are prerendered: they show the number, the names and the like as they were when the site was
 * built. A start with other settings would serve the old ones, so it is refused.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { builtInFacts, type Config, FACT_SETTINGS } from "#lib/config.ts";
import { StartFault } from "#server/start-fault.ts";

const BUILD_MARK = ".next/BUILD_ID";
/** Written after every build by build/record.ts. */
export const BUILT_IN_FACTS_FILE = ".next/built-in-facts.json";

/** Each built-in fact → the setting that it comes from. */
const SETTINGS: Record<string, string> = {
  siteUrl: "SITE_URL",
  inquiryPhone: "INQUIRY_PHONE",
  retentionDays: "RETENTION_DAYS",
  ...Object.fromEntries(
    Object.entries(FACT_SETTINGS).map(([fact, setting]) => [`business.${fact}`, setting]),
  ),
  "verification.naver": "NAVER_SITE_VERIFICATION",
  "verification.google": "GOOGLE_SITE_VERIFICATION",
};

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

/** The settings in which two sets of facts differ. */
export function differingSettings(built: unknown, current: unknown): string[] {
  const before = leaves(built);
  const now = leaves(current);
  const names = new Set([...before.keys(), ...now.keys()]);
  return [...names]
    .filter((name) => before.get(name) !== now.get(name))
    .map((name) => SETTINGS[name] ?? name);
}

/** `{ a: { b: 1, c: undefined } }` → `a.b` = 1; what is not set is left out, as it is in JSON. */
function leaves(value: unknown, path = ""): Map<string, unknown> {
  if (value === undefined) return new Map();
  if (typeof value !== "object" || value === null) return new Map([[path, value]]);
  return new Map(
    Object.entries(value).flatMap(([key, inner]) => [
      ...leaves(inner, path === "" ? key : `${path}.${key}`),
    ]),
  );
}
