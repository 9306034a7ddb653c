/** Tests deploy/update.sh with real git and a real server. npm, systemd and the change of user are replaced. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, expect, test } from "vitest";
import { findFreePort } from "#testing/site/free-port.ts";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";

const NODE = process.execPath;
const STAND_INS = {
  id: "echo 0",
  runuser: 'shift 3; exec "$@"',
  npm: `case "$*" in
    *build) test ! -e no-build && mkdir -p node_modules/.bin && ln -sf ${NODE} node_modules/.bin/node ;;
    *doctor) test ! -e faulty ;;
  esac`,
  systemctl: `test ! -e "$HOME/pid" || kill "$(cat "$HOME/pid")"
    cd "$HOME/site" && DATA_DIR=store ${NODE} server/main.ts >/dev/null 2>&1 & echo $! >"$HOME/pid"`,
};
/** Files break this server: `no-start` ends every start; `unwell` makes only the installed server answer 503. */
const SERVER = `import { existsSync } from "node:fs"; import { createServer } from "node:http";
import { config } from "../lib/config.ts";
const { port, hostname, databaseUrl, weeklySummary } = config();
// A version that is tried must not use the owner's database, nor send the owner a summary.
const isTried = process.env.DATA_DIR !== "store";
if (existsSync("no-start") || (isTried && (databaseUrl || weeklySummary))) process.exit(1);
const status = existsSync("unwell") && !isTried ? 503 : 200;
createServer((_, response) => response.writeHead(status).end()).listen(port, hostname);`;

let home = "";
afterEach(() => {
  const pid = join(home, "pid");
  if (existsSync(pid)) spawnSync("kill", [readFileSync(pid, "utf8").trim()]);
});

const { PATH } = process.env;
/** Neither the developer's settings of git, nor a hook's variables, which name the developer's repository. */
const GIT_ENV = { NODE_ENV: "test", PATH, GIT_CONFIG_GLOBAL: "/dev/null" } as const;
const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t.test", ...args], {
    cwd,
    env: GIT_ENV,
  });

/** A host with a running site, cloned from a repository. */
async function host() {
  home = makeTemporaryFolder();
  const tools = join(home, "tools");
  const source = join(home, "source");
  const site = join(home, "site");
  for (const folder of [tools, join(source, "deploy"), join(source, "server")])
    mkdirSync(folder, { recursive: true });
  for (const [name, code] of Object.entries(STAND_INS))
    writeFileSync(join(tools, name), `#!/bin/sh\n${code}\n`, { mode: 0o755 });
  const env = {
    ...GIT_ENV,
    PATH: `${tools}:${PATH}`,
    HOME: home,
    PATIENCE: "10",
    FORCE_COLOR: "1",
  };
  const publish = (name: string, text = "") => {
    writeFileSync(join(source, name), text);
    git(source, "add", "--all");
    git(source, "commit", "--quiet", "--message", name);
  };
  git(source, "init", "--quiet", "--initial-branch", "main");
  writeFileSync(join(source, ".gitignore"), "node_modules\n.env\n");
  // The fake server reads its settings with the product's own code.
  symlinkSync(resolve("lib"), join(source, "lib"));
  publish("deploy/update.sh", readFileSync(resolve("deploy/update.sh"), "utf8"));
  publish("server/main.ts", SERVER);
  git(home, "clone", "--quiet", source, site);
  const port = await findFreePort();
  const settings = `export PORT=${port} # nginx knows it\nHOSTNAME=127.0.0.2\n`;
  writeFileSync(join(home, "settings"), `${settings}DATABASE_URL=postgres://db/site\n`);
  symlinkSync(join(home, "settings"), join(site, ".env"));
  const shell = (command: string) => execFileSync("sh", ["-c", command], { cwd: site, env });
  for (const command of ["npm run build", "systemctl start site"]) shell(command);
  const update = (folder = site) =>
    spawnSync("sh", [join(folder, "deploy/update.sh")], { cwd: home, env, encoding: "utf8" });
  // A kept-alive connection would lead to the server that an update has ended.
  const answer = () =>
    fetch(`http://127.0.0.2:${port}/`, { headers: { connection: "close" } }).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(answer).toBe(200);
  return { site, source, publish, update, answer, shell };
}

test("an unhealthy or half-moved site can be updated", async () => {
  const { publish, update, answer, shell } = await host();
  publish("unwell");
  shell("git pull --quiet && systemctl restart site");
  await expect.poll(answer).toBe(503);
  publish("second");
  expect(update()).toMatchObject({ status: 0, stderr: "" });
  // The power failed when an update had moved the folder away.
  shell("rm -r ../before && mv ../site ../before");
  expect(update(join(home, "before"))).toMatchObject({ status: 0, stderr: "" });
});

test("an update keeps the operator's own commits", async () => {
  const { site, publish, update, answer, shell } = await host();
  git(site, "switch", "--quiet", "--create", "our-site");
  writeFileSync(join(site, "prices"), "ours");
  git(site, "add", "--all");
  git(site, "commit", "--quiet", "--message", "Our prices");
  for (const version of ["second", "third"]) {
    publish(version);
    const { stdout, stderr, status } = update();
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("done");
    expect(readFileSync(join(site, "prices"), "utf8")).toBe("ours");
    shell("test -L .env");
    expect(existsSync(join(site, version))).toBe(true);
    expect(await answer()).toBe(200);
  }
});

test.each([
  ["uncommitted changes", "server/main.ts", "changed", /not committed.*server\/main\.ts/s],
  ["data in the folder", ".env", "DATA_DIR=./data", /site\/data is in the folder that an update/],
])("an update refuses to replace %s", async (_what, name, content, sentence) => {
  const { site, publish, update } = await host();
  publish("second");
  writeFileSync(join(site, name), content);
  expect(update()).toMatchObject({ status: 1, stderr: expect.stringMatching(sentence) });
  expect(existsSync(join(site, "second"))).toBe(false);
});

test("an update to a faulty version leaves the earlier version running", async () => {
  const { site, source, publish, update, answer } = await host();
  for (const [fault, sentence] of [
    ["no-build", /could not be built/],
    ["faulty", /doctor of the new version/],
    ["no-start", /does not start/],
    ["unwell", /Going back.*earlier version runs again/s],
  ] as const) {
    publish(fault);
    const { stderr, status } = update();
    expect(stderr, fault).toMatch(sentence);
    expect(status).toBe(1);
    expect(existsSync(join(site, fault))).toBe(false);
    expect(existsSync(join(home, "new"))).toBe(false);
    expect(await answer()).toBe(200);
    rmSync(join(source, fault));
  }
});
