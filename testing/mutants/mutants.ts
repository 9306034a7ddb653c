/**
 * `npm run test:mutants`: breaks the product in one place after another, in a copy of the tree, and says which test
 * noticed. `npm run test:mutants -- "row 5" twilio` breaks only what has one of these words in its name or file.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";

/** A small change of the product that takes a promise away. */
const BREAKAGE = z.object({
  /** A row of docs/faults.md and what is taken out, or the promise of the README. */
  breaks: z.string(),
  file: z.string(),
  /** A text that the file has exactly once (see testing/docs.test.ts), and what stands there instead. */
  from: z.string(),
  to: z.string(),
  /** Where no test of the file's name lies beside it: the files of tests that are tried first. */
  tests: z.array(z.string()).default([]),
});
type Breakage = z.infer<typeof BREAKAGE>;

/** A test that failed: its file and its title. */
interface Failed {
  file: string;
  title: string;
}

const BAIL = "--bail=1";
/** What breaks is compiled by Next: the browser gets it from the build alone. */
const BUILT = /^(app|components|public)\/|^lib\/browser\//;

const words = process.argv.slice(2);
const all = z
  .array(BREAKAGE)
  .parse(JSON.parse(readFileSync("testing/mutants/breakages.json", "utf8")));
const chosen = all.filter(
  ({ breaks, file }) =>
    words.length === 0 || words.some((word) => breaks.includes(word) || file.includes(word)),
);

const copy = mkdtempSync(join(tmpdir(), "mutants-"));
process.on("exit", () => rmSync(copy, { recursive: true, force: true }));
process.on("SIGINT", () => process.exit(1));
copyTree();

let unnoticed = 0;
// A build holds one breakage: what needs one comes last, so that the others run against the whole build.
for (const breakage of chosen.toSorted((a, b) => Number(isBuilt(a)) - Number(isBuilt(b)))) {
  const startedAt = performance.now();
  const noticed = await breakAndTest(breakage);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  if (!noticed) unnoticed += 1;
  const by = noticed ? `${seconds} s | \`${noticed.file}\`: ${noticed.title}` : "– | NOT NOTICED";
  console.info(`| ${breakage.breaks} | \`${breakage.file}\` | ${by} |`);
}
console.info(`${chosen.length - unnoticed} of ${chosen.length} noticed`);
process.exitCode = unnoticed === 0 ? 0 : 1;

function isBuilt({ file, tests }: Breakage): boolean {
  return BUILT.test(file) && tests.some(isSpec);
}

function isSpec(path: string): boolean {
  return path.endsWith(".spec.ts");
}

/** The tree as it lies here, with its build; of the packages hard links, which no test writes to. */
function copyTree(): void {
  const { stdout } = spawnSync("git", ["ls-files", "-co", "--exclude-standard"], {
    encoding: "utf8",
  });
  for (const file of stdout.trim().split("\n")) cpSync(file, join(copy, file), { recursive: true });
  spawnSync("cp", ["-al", "node_modules", copy]);
  rmSync(join(copy, "node_modules/.cache"), { recursive: true, force: true });
  // What a build makes, and only there.
  spawnSync("cp", ["-a", ".next", "next-env.d.ts", copy]);
  spawnSync("cp", ["-a", "public/.", join(copy, "public")]);
}

async function breakAndTest(breakage: Breakage): Promise<Failed | undefined> {
  const { file, from, to, tests } = breakage;
  const path = join(copy, file);
  const whole = readFileSync(path, "utf8");
  writeFileSync(
    path,
    whole.replace(from, () => to),
  );
  try {
    const specs = tests.filter(isSpec);
    if (specs.length > 0) {
      if (isBuilt(breakage) && (await run("npm", ["run", "build"])).code !== 0)
        return { file: "npm run build", title: "it fails" };
      return await playwright(specs);
    }
    const beside = file.replace(/\.tsx?$/, ".test.ts");
    const near = tests.length > 0 ? tests : existsSync(beside) ? [beside] : [];
    const failed =
      (near.length > 0 ? await vitest(["run", ...near]) : undefined) ??
      (await vitest(["related", "--run", file]));
    if (failed === undefined) return undefined;
    // Not one that fails anyway.
    writeFileSync(path, whole);
    return (await vitest(["run", failed.file])) === undefined ? failed : undefined;
  } finally {
    writeFileSync(path, whole);
  }
}

/** The first unit test that fails, or undefined. A file that cannot be loaded has no titles. */
function vitest(args: string[]): Promise<Failed | undefined> {
  // What waits for a thing that is taken out need not wait long.
  const flags = [BAIL, "--testTimeout=30000", "--hookTimeout=30000"];
  return firstFailed("vitest", [...args, ...flags], /FAIL .*?(\S+\.test\.ts)(?: > (.*))?/);
}

/** The first end-to-end test that fails, or undefined. */
function playwright(specs: string[]): Promise<Failed | undefined> {
  const flags = ["--project=phone", "--max-failures=1", "--reporter=line"];
  const title = /^\s*1\) .*?› (e2e\/[\w./-]+):\d+:\d+ › (.*?) ─*$/m;
  return firstFailed("playwright", ["test", ...specs, ...flags], title);
}

async function firstFailed(
  program: string,
  args: string[],
  said: RegExp,
): Promise<Failed | undefined> {
  const { code, output } = await run("npx", [program, ...args]);
  if (code === 0) return undefined;
  const [, file = "", title = ""] = said.exec(output) ?? [];
  // Where several fail at once, it may end before it has named one.
  if (file === "" && args.includes(BAIL))
    return firstFailed(
      program,
      args.filter((arg) => arg !== BAIL),
      said,
    );
  if (file === "") throw new Error(`${program} does not say which test failed:\n${output}`);
  return { file, title };
}

async function run(command: string, args: string[]): Promise<{ code: number; output: string }> {
  const env = {
    ...process.env,
    // Enough to meet what is broken everywhere.
    DELIVERY_HISTORIES: "4000",
    DELIVERY_SEED: "1",
    FORCE_COLOR: undefined,
    NO_COLOR: "1",
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  };
  const child = spawn(command, args, { cwd: copy, env, detached: true });
  let output = "";
  const keep = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const [ended] = await once(child, "exit");
  endGroup(child.pid);
  const code = typeof ended === "number" ? ended : 1;
  return { code, output };
}

/** A run that ended with its first failure may have left processes behind. */
function endGroup(pid = 0): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All of them have ended.
  }
}
