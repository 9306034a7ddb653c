/**
 * `npm run test:mutants`, after a build: changes the product in randomly chosen places, and counts how many changes a
 * test notices. Exits with 1 if a folder is under 85 %.
 *   npm run test:mutants -- --seed 7 --each 60 lib/delivery cli
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { copyWorkingTree, type MutantCoverage, type MutantResult } from "#testing/mutants/copy.ts";
import { EQUIVALENT_MUTANTS } from "#testing/mutants/equivalents.ts";
import {
  instrumentFiles,
  MUTATED_FOLDERS,
  type Mutant,
  sampleMutants,
} from "#testing/mutants/generate.ts";

const WANTED_SHARE = 0.85;
/** Number of parallel runs: one on each of two processors. */
const SIDE_BY_SIDE = 2;
const MINUTE = 60_000;
/** Unit tests that start the commands as separate processes, so that their coverage is unknown. */
const COMMAND_TESTS = ["cli/doctor.test.ts", "cli/data-owner.test.ts"];
/** Likewise for the server. */
const SERVER_TESTS = ["cli/doctor.test.ts", "server/start.test.ts", "server/shutdown.test.ts"];
/** End-to-end tests that start the server as a process. No unit test executes the code of the server's start. */
const SPECS = ["e2e/static", "e2e/process", "e2e/settings", "e2e/every-setting"];

/** A body whose mutant `{}` changes nothing, because a function without a value returns undefined too. */
const RETURNS_UNDEFINED = /^\{\s*(\/\/.*\s*)*return( undefined)?;\s*\}$/;

const { values, positionals } = parseArgs({
  options: { seed: { type: "string", default: "1" }, each: { type: "string", default: "60" } },
  allowPositionals: true,
});

const folders = positionals.length > 0 ? positionals : MUTATED_FOLDERS;
const listed = spawnSync("git", ["ls-files", ...folders], { encoding: "utf8" }).stdout;
const files = listed.split("\n").filter((file) => /(?<!\.test|\.d)\.ts$/.test(file));
const { mutants, files: instrumented } = await instrumentFiles(files);
const chosen = sampleMutants(
  mutants.filter(isNoticeable),
  Number(values.each),
  Number(values.seed),
);
console.info(`${chosen.length} of ${mutants.length} mutants in ${files.length} files`);

const copy = copyWorkingTree(instrumented);
const coverage = await copy.measureCoverage();
const results = new Map<Mutant, MutantResult | "not covered">();
const waiting = [...chosen];
await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));

for (const folder of MUTATED_FOLDERS) {
  const own = [...results].filter(([mutant]) => mutant.folder === folder);
  const noticed = own.filter(([, outcome]) => outcome === "failed" || outcome === "slow");
  if (own.length === 0) continue;
  const share = noticed.length / own.length;
  console.info(
    `${folder}: ${noticed.length} of ${own.length} noticed (${Math.round(share * 100)} %)`,
  );
  if (share < WANTED_SHARE) process.exitCode = 1;
}

async function work(): Promise<void> {
  for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
    const outcome = await test(mutant);
    results.set(mutant, outcome);
    if (outcome === "failed" || outcome === "slow") continue;
    const { file, line, original, replacement } = mutant;
    console.info(`NOT NOTICED ${file}:${line} (${outcome})\n  - ${original}\n  + ${replacement}`);
  }
}

async function test({ id, folder }: Mutant): Promise<MutantResult | "not covered"> {
  const covering = coverage.filter(({ ids }) => ids.has(id)).toSorted((a, b) => a.ms - b.ms);
  let outcome: MutantResult | "not covered" = "not covered";
  // Quick tests run first, because they notice most mutants.
  for (const tests of [covering.slice(0, 4), covering.slice(4)]) {
    if (tests.length === 0) continue;
    outcome = await copy.vitest(
      id,
      tests.map(({ file }) => file),
      limitFor(tests),
    );
    if (outcome !== "passed") return outcome;
  }
  if (folder === "cli") {
    const inCommands = await copy.vitest(id, COMMAND_TESTS, 5 * MINUTE);
    if (inCommands !== "passed") return inCommands;
    return copy.playwright(id, ["e2e/command-line"], 10 * MINUTE);
  }
  if (folder === "server") {
    const inProcess = await copy.vitest(id, SERVER_TESTS, 5 * MINUTE);
    if (inProcess !== "passed") return inProcess;
  }
  return folder === "server" || folder === "lib/intake"
    ? copy.playwright(id, SPECS, 10 * MINUTE)
    : outcome;
}

/** A time limit of several times the duration without a mutant, because another run is parallel. */
function limitFor(tests: readonly MutantCoverage[]): number {
  return MINUTE + 5 * tests.reduce((sum, { ms }) => sum + ms, 0);
}

function isNoticeable({ file, original, replacement }: Mutant): boolean {
  if (replacement === "{}" && RETURNS_UNDEFINED.test(original)) return false;
  return !EQUIVALENT_MUTANTS.some(
    (each) => each.file === file && each.original === original && each.replacement === replacement,
  );
}
