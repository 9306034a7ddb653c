/**
 * Installs what is missing, so that a fresh machine needs one command. Plain JavaScript that an old
 * Node runs too: the project's own runtime is only there once this has installed it.
 *   node build/set-up.mjs            the packages of the lockfile
 *   node build/set-up.mjs --browser  and a Chromium for the end-to-end tests
 *   node build/set-up.mjs --measure  and what only the measurements need (measure/package.json)
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { asksFirst, nodeFault } from "./set-up-rules.mjs";

const isWindows = process.platform === "win32";

function run(command, args, cwd = ".") {
  return spawnSync(command, args, { cwd, stdio: "inherit", shell: isWindows }).status === 0;
}

function endWith(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** Installs the packages of a folder's lockfile, unless they are there. */
function installPackages(folder) {
  const lock = join(folder, "package-lock.json");
  // The lockfile that node_modules was installed from.
  const installed = join(folder, "node_modules", ".installed-lock.json");
  if (existsSync(installed) && readFileSync(installed, "utf8") === readFileSync(lock, "utf8"))
    return;
  if (!run("npm", ["ci"], folder)) process.exit(1);
  copyFileSync(lock, installed);
}

/** The version of the Node among the packages; one that does not run here is taken away, so that nothing uses it. */
function ownNode() {
  const program = join("node_modules", ".bin", isWindows ? "node.cmd" : "node");
  if (!existsSync(program)) return undefined;
  const { status, stdout } = spawnSync(program, ["--version"], {
    encoding: "utf8",
    shell: isWindows,
  });
  if (status === 0) return stdout.trim();
  rmSync(program);
  return undefined;
}

function onPath(name) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, name)));
}

async function browserIsInstalled() {
  if (onPath("chromium") || onPath("google-chrome")) return true;
  const { chromium } = await import("@playwright/test");
  return existsSync(chromium.executablePath());
}

/** Whether Debian's Chromium may be installed for the whole machine. */
async function mayInstallForAll() {
  if (process.platform !== "linux" || process.getuid() !== 0 || !onPath("apt-get")) return false;
  const what = "the system package chromium, with apt-get as root";
  if (!asksFirst({ isTerminal: process.stdin.isTTY === true, ci: process.env.CI })) {
    console.info(`The end-to-end tests need a browser. Installing ${what}.`);
    return true;
  }
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await new Promise((resolve) => {
    lines.question(`The end-to-end tests need a browser. Install ${what}? [y/N] `, resolve);
  });
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}

async function installBrowser() {
  const forAll = await mayInstallForAll();
  if (forAll && run("apt-get", ["update", "-q"]) && run("apt-get", ["install", "-yq", "chromium"]))
    return true;
  return run("npx", ["playwright", "install", "chromium"]);
}

installPackages(".");
const fault = nodeFault({
  own: ownNode(),
  running: process.versions.node,
  needed: JSON.parse(readFileSync("package.json", "utf8")).engines.node,
  machine: `${process.platform}-${process.arch}`,
});
if (fault) endWith(fault);
if (process.argv.includes("--browser") && !(await browserIsInstalled())) {
  if (!(await installBrowser()))
    endWith("No Chromium could be installed: install one and run this again.");
}
if (process.argv.includes("--measure")) installPackages("measure");
