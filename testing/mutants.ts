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
  /** A text that the file has exactly once, and what stands there instead. */
  from: z.string(),
  to: z.string(),
  /** Where no test of the file's name lies beside it: the files of tests that are tried first. */
  tests: z.array(z.string()).default([]),
});
type Breakage = z.infer<typeof BREAKAGE>;

interface Noticed {
  test: string;
  second: number;
}

const VITEST_REPORT = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
});

/** What breaks is compiled by Next: the browser gets it from the build alone. */
const BUILT = /^(app|components|public)\/|^lib\/browser\//;

const words = process.argv.slice(2);
const all = z.array(BREAKAGE).parse(JSON.parse(readFileSync("testing/breakages.json", "utf8")));
const chosen = all.filter(
  ({ breaks, file }) =>
    words.length === 0 || words.some((word) => breaks.includes(word) || file.includes(word)),
);

const lost = all.filter(
  ({ file, from }) => !existsSync(file) || timesIn(readFileSync(file, "utf8"), from) !== 1,
);
for (const { breaks, file } of lost) console.info(`not found exactly once in ${file}: ${breaks}`);
if (lost.length > 0) process.exit(1);

const copy = mkdtempSync(join(tmpdir(), "mutants-"));
process.on("exit", () => rmSync(copy, { recursive: true, force: true }));
process.on("SIGINT", () => process.exit(1));
copyTree();

let unnoticed = 0;
// A build holds one breakage: what needs one comes last, so that the others run against the whole build.
for (const breakage of chosen.toSorted((a, b) => Number(isBuilt(a)) - Number(isBuilt(b)))) {
  const noticed = await breakAndTest(breakage);
  if (!noticed) unnoticed += 1;
  const by = noticed ? `${noticed.second} s | ${noticed.test}` : "– | NOT NOTICED";
  console.info(`| ${breakage.breaks} | \`${breakage.file}\` | ${by} |`);
}
console.info(`${chosen.length - unnoticed} of ${chosen.length} noticed`);
process.exitCode = unnoticed === 0 ? 0 : 1;

function timesIn(text: string, part: string): number {
  return text.split(part).length - 1;
}

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

async function breakAndTest(breakage: Breakage): Promise<Noticed | undefined> {
  const { file, from, to, tests } = breakage;
  const path = join(copy, file);
  const whole = readFileSync(path, "utf8");
  writeFileSync(
    path,
    whole.replace(from, () => to),
  );
  const startedAt = performance.now();
  const second = () => Math.round((performance.now() - startedAt) / 1_000);
  try {
    const specs = tests.filter(isSpec);
    if (specs.length > 0) {
      if (isBuilt(breakage) && (await run("npm", ["run", "build"])).code !== 0)
        return { test: "the build", second: second() };
      const failed = await playwright(specs);
      return failed === undefined ? undefined : { test: failed, second: second() };
    }
    const beside = file.replace(/\.tsx?$/, ".test.ts");
    const near = tests.length > 0 ? tests : existsSync(beside) ? [beside] : [];
    const failed =
      (near.length > 0 ? await vitest(["run", ...near]) : undefined) ??
      (await vitest(["related", "--run", file]));
    if (failed === undefined) return undefined;
    const noticed = { test: failed.title, second: second() };
    // Not one that fails anyway.
    writeFileSync(path, whole);
    return (await vitest(["run", failed.file])) === undefined ? noticed : undefined;
  } finally {
    writeFileSync(path, whole);
  }
}

/** The first unit test that fails, or undefined. */
async function vitest(args: string[]): Promise<{ file: string; title: string } | undefined> {
  const report = join(copy, "vitest-report.json");
  // What waits for a thing that is taken out need not wait long.
  const limits = ["--testTimeout=30000", "--hookTimeout=30000"];
  const flags = ["--bail", "1", ...limits, "--reporter=json", `--outputFile=${report}`];
  const { code } = await run("npx", ["vitest", ...args, ...flags]);
  if (code === 0) return undefined;
  const { testResults } = VITEST_REPORT.parse(JSON.parse(readFileSync(report, "utf8")));
  const failed = testResults.flatMap(({ name, assertionResults, message }) => {
    const file = name.slice(copy.length + 1);
    const test = assertionResults.find(({ status }) => status === "failed");
    // A file that cannot be loaded has no tests.
    const says = test?.fullName ?? message.split("\n")[0];
    return says ? [{ file, title: `\`${file}\`: ${says}` }] : [];
  });
  return failed[0];
}

/** The first end-to-end test that fails, or undefined. */
async function playwright(specs: string[]): Promise<string | undefined> {
  const flags = ["--project=phone", "--max-failures=1", "--reporter=line"];
  const { code, output } = await run("npx", ["playwright", "test", ...specs, ...flags]);
  if (code === 0) return undefined;
  const [, spec, title] = /^\s*1\) .*?› (e2e\/[\w./-]+):\d+:\d+ › (.*?) ─*$/m.exec(output) ?? [];
  return `\`${spec}\`: ${title}`;
}

async function run(command: string, args: string[]): Promise<{ code: number; output: string }> {
  const env = {
    ...process.env,
    // Enough to meet what is broken everywhere.
    DELIVERY_HISTORIES: "4000",
    DELIVERY_SEED: "1",
    FORCE_COLOR: "0",
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
