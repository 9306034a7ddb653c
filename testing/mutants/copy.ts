import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { MUTANT_SWITCH } from "#testing/site/child-env.ts";

/** The result of a test run. `slow`: the run was stopped, because no run without a mutant takes as long. */
export type MutantResult = "passed" | "failed" | "slow";

const COVERAGE = "coverage-of-mutants";
/** Makes each test file write its duration, and the ids of the mutants that it has executed. */
const RECORDER = `
import { beforeAll as beforeTests, expect as expectation } from "vitest";
import { appendFileSync as append } from "node:fs";
globalThis.__stryker__ = {};
let began = 0;
beforeTests(() => { began = performance.now(); });
afterAll(() => {
  const { static: first = {}, perTest = {} } = globalThis.__stryker__?.mutantCoverage ?? {};
  const ids = [...new Set([first, ...Object.values(perTest)].flatMap((hits) => Object.keys(hits)))];
  const row = { file: expectation.getState().testPath.slice(process.cwd().length + 1), ids, ms: performance.now() - began };
  append("${COVERAGE}/" + process.pid + "-" + Math.random() + ".json", JSON.stringify(row));
});
`;
const SETUP_FILE = "testing/vitest/fresh-file.ts";

export interface MutantCoverage {
  file: string;
  ids: ReadonlySet<string>;
  ms: number;
}

/** Copies the working tree and its build, and hard-links the packages, which no test changes. */
export function copyWorkingTree(instrumented: readonly { name: string; content: string }[]) {
  const folder = mkdtempSync(join(tmpdir(), "mutants-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  process.on("SIGINT", () => process.exit(1));
  const listed = spawnSync("git", ["ls-files", "-co", "--exclude-standard"], { encoding: "utf8" });
  for (const file of listed.stdout.trim().split("\n"))
    cpSync(file, join(folder, file), { recursive: true });
  spawnSync("cp", ["-al", "node_modules", folder]);
  rmSync(join(folder, "node_modules/.cache"), { recursive: true, force: true });
  spawnSync("cp", ["-a", ".next", "next-env.d.ts", folder]);
  for (const built of ["public", "app/fonts"])
    spawnSync("cp", ["-a", `${built}/.`, join(folder, built)]);
  for (const { name, content } of instrumented) writeFileSync(join(folder, name), content);
  return {
    /** Runs all unit tests once without a mutant, and returns the mutants that each test file executes. */
    async measureCoverage(): Promise<MutantCoverage[]> {
      const setup = join(folder, SETUP_FILE);
      const before = readFileSync(setup, "utf8");
      appendFileSync(setup, RECORDER);
      mkdirSync(join(folder, COVERAGE));
      const args = ["vitest", "run", "--testTimeout=600000"];
      const { outcome, output } = await runInCopy(folder, args, { limitMs: 1_800_000 });
      writeFileSync(setup, before);
      if (outcome !== "passed") throw new Error(`The tests are red without a mutant:\n${output}`);
      return readdirSync(join(folder, COVERAGE)).map((name) => {
        const row = JSON.parse(readFileSync(join(folder, COVERAGE, name), "utf8"));
        return { file: String(row.file), ids: new Set<string>(row.ids), ms: Number(row.ms) };
      });
    },
    vitest(mutant: string, files: readonly string[], limitMs: number): Promise<MutantResult> {
      const flags = ["--bail=1", "--testTimeout=30000", "--hookTimeout=30000"];
      const args = ["vitest", "run", ...files, ...flags];
      return runInCopy(folder, args, { mutant, limitMs }).then(({ outcome }) => outcome);
    },
    playwright(mutant: string, specs: readonly string[], limitMs: number): Promise<MutantResult> {
      const flags = ["--project=phone", "--max-failures=1", "--reporter=line"];
      const args = ["playwright", "test", ...specs, ...flags];
      return runInCopy(folder, args, { mutant, limitMs }).then(({ outcome }) => outcome);
    },
  };
}

interface RunOptions {
  mutant?: string;
  limitMs: number;
}

async function runInCopy(
  folder: string,
  args: readonly string[],
  { mutant, limitMs }: RunOptions,
): Promise<{ outcome: MutantResult; output: string }> {
  const env = {
    ...process.env,
    ...(mutant !== undefined && { [MUTANT_SWITCH]: mutant }),
    // 1,500 histories are enough to notice a mutant that breaks everything.
    DELIVERY_HISTORIES: "1500",
    DELIVERY_SEED: "1",
    DEVICE_HISTORIES: "1500",
    DEVICE_SEED: "1",
    FORCE_COLOR: undefined,
    NO_COLOR: "1",
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  };
  const child = spawn("npx", args, { cwd: folder, env, detached: true });
  let output = "";
  const append = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout.on("data", append);
  child.stderr.on("data", append);
  let isSlow = false;
  const timer = setTimeout(() => {
    isSlow = true;
    endGroup(child.pid);
  }, limitMs);
  const [code] = await once(child, "exit");
  clearTimeout(timer);
  endGroup(child.pid);
  return { outcome: isSlow ? "slow" : code === 0 ? "passed" : "failed", output };
}

/** Kills the processes that a run leaves when it stops at its first failure. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // ESRCH means that all processes of the group have ended.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
