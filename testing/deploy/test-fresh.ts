/**
 * `npm run test:fresh`: clones the commit into an empty folder, runs the README's first command there with different
 * versions of npm under the machine's own Node, and waits for the site. Each version takes five minutes on two idle
 * cores.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { MINUTE } from "#lib/application/durations.ts";
import { fetchStatusCode, waitUntil } from "#testing/deploy/inside-machine.ts";
import { findFreePort } from "#testing/site/free-port.ts";

/** The versions given as arguments, or else npm of Debian 13, npm of Node 22, and the newest npm. */
const NPM_VERSIONS =
  process.argv.length > 2 ? process.argv.slice(2) : ["9.2.0", "10.9.4", "latest"];

/** The first command of the README, without its comment. */
const [, firstCommand = ""] =
  /^```sh\n(.*?)(?:\s+#.*)?$/m.exec(readFileSync("README.md", "utf8")) ?? [];

/** The machine's Node: the first Node on the path that is not a package of this project. */
const hostNode = (process.env.PATH ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes("node_modules"))
  .map((folder) => join(folder, "node"))
  .find((program) => spawnSync(program, ["--version"]).status === 0);

/** Makes a folder that contains only the programs `node` and `npm`. */
function installTools(npm: string, folder: string): string {
  if (hostNode === undefined) throw new Error("No Node is on the path but this project's own.");
  const prefix = join(folder, "npm");
  const install = ["install", "--silent", "--no-save", "--prefix", prefix, `npm@${npm}`];
  execFileSync("npm", install, { cwd: folder, stdio: "inherit" });
  const tools = join(folder, "tools");
  mkdirSync(tools);
  symlinkSync(hostNode, join(tools, "node"));
  const call = `#!/bin/sh\nexec ${hostNode} ${prefix}/node_modules/npm/bin/npm-cli.js "$@"\n`;
  writeFileSync(join(tools, "npm"), call, { mode: 0o755 });
  return tools;
}

function programsOf(group: number): string[] {
  const read = `for pid in $(pgrep --pgroup ${group}); do readlink "/proc/$pid/exe"; done`;
  return spawnSync("sh", ["-c", read], { encoding: "utf8" }).stdout.split("\n");
}

async function testFreshClone(npm: string): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "fresh-"));
  const clone = join(folder, "clone");
  execFileSync("git", ["clone", "--quiet", ".", clone]);
  const tools = installTools(npm, folder);
  const PORT = `${await findFreePort()}`;
  const { HOME = "/", NODE_EXTRA_CA_CERTS = "" } = process.env;
  const variables = {
    PATH: `${tools}:/usr/bin:/bin`,
    HOME,
    PORT,
    LANG: "C.UTF-8",
    NODE_EXTRA_CA_CERTS,
  };
  const given = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const log = join(folder, "log");
  const output = openSync(log, "w");
  const child = spawn("env", ["-i", ...given, "sh", "-c", `exec ${firstCommand}`], {
    cwd: clone,
    detached: true,
    stdio: ["ignore", output, output],
  });
  const ended = once(child, "exit");
  const startedAt = Date.now();
  const url = `http://127.0.0.1:${PORT}/`;
  let isUp = false;
  await waitUntil(async () => {
    isUp = (await fetchStatusCode(url)) === 200;
    return isUp || child.exitCode !== null;
  }, 30 * MINUTE);
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  const servers = programsOf(child.pid ?? 0).filter((program) => program.startsWith(clone));
  if (child.exitCode === null && child.pid) process.kill(-child.pid, "SIGTERM");
  await ended;
  const held = isUp && servers.length === 1;
  console.info(
    `${held ? "✓" : "✗"} ${firstCommand} with npm ${npm}: ${isUp ? `the site answers after ${seconds} s` : "no answer"}, ${servers.length} process of its own Node`,
  );
  if (!held) console.error(readFileSync(log, "utf8").slice(-5_000));
  rmSync(folder, { recursive: true, force: true });
  return held;
}

let failed = 0;
for (const npm of NPM_VERSIONS) if (!(await testFreshClone(npm))) failed++;
process.exitCode = failed === 0 ? 0 : 1;
