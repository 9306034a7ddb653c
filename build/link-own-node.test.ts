import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";

const PACKAGE = `node-${process.platform}-${process.arch}`;
const RUN_SCRIPT = resolve("build/run.mjs");
const OWN_NODE_LINK = "node_modules/.bin/node";

interface Case {
  named?: string[];
  /** The shell script instead of the packaged Node. */
  program?: string;
  nodeRange: string;
}

/** Creates a project whose packaged Node is a script, without the link in node_modules/.bin. */
function projectWith({ named = [PACKAGE], program, nodeRange }: Case): string {
  const folder = makeTemporaryFolder();
  mkdirSync(join(folder, "node_modules", PACKAGE, "bin"), { recursive: true });
  const optionalDependencies = Object.fromEntries(named.map((name) => [name, "1.0.0"]));
  const manifest = { engines: { node: nodeRange }, optionalDependencies };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  const file = join(folder, "node_modules", PACKAGE, "bin/node");
  if (program) writeFileSync(file, program, { mode: 0o755 });
  return folder;
}
const lacking = (library: string) =>
  `#!/bin/sh\necho 'node: error while loading shared libraries: ${library}: cannot open' >&2; exit 127\n`;
const STARTING_PROGRAM = "#!/bin/sh\nexit 0\n";
const UNMET_RANGE = ">=99";
const MET_RANGE = ">=24";

test.for<[what: string, project: Case, sentence: RegExp]>([
  [
    "no package fits",
    { named: ["node-aix-ppc64"], nodeRange: UNMET_RANGE },
    /No package brings Node for/,
  ],
  [
    "npm left the package out",
    { nodeRange: UNMET_RANGE },
    /omit optional packages.*--include=optional/,
  ],
  [
    "libatomic is missing",
    { program: lacking("libatomic.so.1"), nodeRange: UNMET_RANGE },
    /lacks libatomic.so.1 .*apt-get install libatomic1/,
  ],
  [
    "a library is missing",
    { program: lacking("libm.so.6"), nodeRange: UNMET_RANGE },
    /lacks libm.so.6\./,
  ],
  [
    "glibc is missing",
    { program: "#!/nowhere/ld-linux.so\n", nodeRange: UNMET_RANGE },
    /needs glibc/,
  ],
  [
    "it crashes",
    { program: "#!/bin/sh\nkill -ILL $$\n", nodeRange: UNMET_RANGE },
    /ended with SIGILL/,
  ],
])(
  "an old Node says why the packaged one cannot run the site: %s [104]",
  ([, project, sentence]) => {
    const cwd = projectWith(project);
    const { status, stderr } = spawnSync(process.execPath, [RUN_SCRIPT], { cwd, encoding: "utf8" });
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(/needs Node >=99.*nodejs\.org/);
    expect(status).toBe(1);
  },
);

test("a missing or wrong link in node_modules/.bin is set to the packaged Node", () => {
  const cwd = projectWith({ program: STARTING_PROGRAM, nodeRange: UNMET_RANGE });
  for (const wrong of [undefined, "/nowhere/node", "/bin/sh"]) {
    mkdirSync(join(cwd, "node_modules/.bin"), { recursive: true });
    if (wrong) execFileSync("ln", ["-sf", wrong, join(cwd, OWN_NODE_LINK)]);
    execFileSync(process.execPath, [RUN_SCRIPT], { cwd });
    expect(realpathSync(join(cwd, OWN_NODE_LINK))).toBe(
      realpathSync(join(cwd, `node_modules/${PACKAGE}/bin/node`)),
    );
  }
});

test("a recent Node of the machine replaces a packaged Node that does not start", () => {
  const cwd = projectWith({ program: lacking("libatomic.so.1"), nodeRange: MET_RANGE });
  const run = () => spawnSync(process.execPath, [RUN_SCRIPT], { cwd, encoding: "utf8" }).stderr;
  expect(run()).toMatch(/libatomic1.*Node [\d.]+ of this machine runs the site instead/);
  expect(realpathSync(join(cwd, OWN_NODE_LINK))).toBe(realpathSync(process.execPath));
  expect(run()).toBe("");
});

test("set-up installs the packages once for each lockfile", () => {
  const cwd = projectWith({ program: STARTING_PROGRAM, nodeRange: UNMET_RANGE });
  writeFileSync(join(cwd, "npm"), "#!/bin/sh\necho $1 >>calls; exit $CODE", { mode: 0o755 });
  for (const [lock, CODE] of ["{} 1", "{} 0", "{} 0", "[] 0"].map((each) => each.split(" "))) {
    writeFileSync(join(cwd, "package-lock.json"), `${lock}`);
    const env = { PATH: `${cwd}:/usr/bin:/bin`, NODE_ENV: "test" as const, CODE };
    const { status } = spawnSync(process.execPath, [resolve("build/set-up.mjs")], { cwd, env });
    expect(`${status}`).toBe(CODE);
  }
  expect(readFileSync(join(cwd, "calls"), "utf8")).toBe("ci\nci\nci\n");
});

/** Creates a folder with a `node` that claims to be version 20, which has no `execve`. */
function makeOldNodeFolder(): string {
  const folder = makeTemporaryFolder();
  const old = `for (const [name, value] of Object.entries({ execPath: "${folder}/node", execArgv: [], execve: undefined,
    versions: { ...process.versions, node: "20.19.0" } })) Object.defineProperty(process, name, { value });`;
  writeFileSync(join(folder, "old.mjs"), old);
  const program = `#!/bin/sh\nexec ${process.execPath} --no-strip-types --import '${folder}/old.mjs' "$@"\n`;
  writeFileSync(join(folder, "node"), program, { mode: 0o755 });
  return folder;
}

/** Copies the project without the link to Node. Returns the copy with the environment of an old Node. */
function copyWithoutLink() {
  const cwd = makeTemporaryFolder();
  const copied = "package.json tailwind.config.ts build cli lib server components app";
  for (const name of copied.split(" ")) cpSync(name, join(cwd, name), { recursive: true });
  mkdirSync(join(cwd, "node_modules/.bin"), { recursive: true });
  for (const name of readdirSync("node_modules").filter((each) => each !== ".bin"))
    symlinkSync(resolve("node_modules", name), join(cwd, "node_modules", name));
  const PATH = `${cwd}/node_modules/.bin:${makeOldNodeFolder()}:/usr/bin:/bin`;
  return { cwd, env: { PATH, LANG: "C.UTF-8", NODE_ENV: "test" as const } };
}

test("the build's first step and the doctor start without npm's link to Node [104]", () => {
  const copy = copyWithoutLink();
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const [first] = scripts.build.split(" && ");
  expect(spawnSync("sh", ["-c", first], { ...copy, encoding: "utf8" }).stdout).toContain("font-");
  rmSync(join(copy.cwd, OWN_NODE_LINK));
  const doctor = spawnSync("sh", ["-c", scripts.doctor], { ...copy, encoding: "utf8" });
  expect(doctor.stdout).toContain("[정상]");
  expect(doctor.stderr).toBe("");
});

test.each(["SIGTERM", "SIGHUP"] as const)(
  "an old Node passes on %s and exit codes",
  async (signal) => {
    const { cwd, env } = copyWithoutLink();
    const code = `process.on("${signal}", () => process.exit(7)); setInterval(() => {}, 1000);`;
    writeFileSync(
      join(cwd, "waits.ts"),
      `${code}\nconst ready: string = "ready"; console.info(ready)`,
    );
    const child = spawn("sh", ["-c", "exec node build/run.mjs waits.ts"], { cwd, env });
    await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
    child.kill(signal);
    expect(await once(child, "exit")).toEqual([7, null]);
  },
);
