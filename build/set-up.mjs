/**
 * Installs what is missing, so that a fresh machine needs one command. It is plain JavaScript for an old Node,
 * because it installs the project's own.
 *   node build/set-up.mjs            the packages of the lockfile
 *   node build/set-up.mjs --browser  and the browsers of the end-to-end tests
 *   node build/set-up.mjs --measure  and what only the measurements need (measure/package.json)
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { BROWSERS, browserProgram, SHELL } from "#testing/browser/browsers.mjs";

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

const OWN_NODE = join("node_modules", ".bin", isWindows ? "node.cmd" : "node");

/** Why the Node among the packages does not run here; undefined where it does. */
function ownNodeFault() {
  if (!existsSync(OWN_NODE)) return `there is none for ${process.platform}-${process.arch}`;
  const options = { encoding: "utf8", shell: isWindows };
  const { status, stderr } = spawnSync(OWN_NODE, ["--version"], options);
  return status === 0 ? undefined : `${stderr}`.trim().split("\n")[0];
}

/** Installs the browsers of the tests: Debian's as root, or else Playwright's own. Without Chromium there are no tests. */
async function installBrowsers() {
  const playwright = await import("@playwright/test");
  const isMissing = (name) =>
    !existsSync(playwright[name === SHELL ? "chromium" : name].executablePath()) &&
    browserProgram(name) === undefined;
  let missing = Object.keys(BROWSERS).filter(isMissing);
  if (missing.length > 0 && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    const packages = missing.flatMap((name) => BROWSERS[name].packages);
    console.info(`The end-to-end tests need browsers. Installing ${packages.join(", ")}.`);
    run("apt-get", ["update", "-q"]);
    for (const name of missing) run("apt-get", ["install", "-yq", ...BROWSERS[name].packages]);
    missing = missing.filter(isMissing);
  }
  // Without the shell the tests run as well, only longer.
  missing = missing.filter(
    (name) => name !== SHELL && !run("npx", ["playwright", "install", name]),
  );
  if (missing.includes("chromium"))
    endWith("No Chromium could be installed: install one and run this again.");
  if (missing.length > 0)
    console.info(
      `Nothing is tested in ${missing.join(" and ")}, which could not be installed here.`,
    );
}

installPackages(".");
const needed = JSON.parse(readFileSync("package.json", "utf8")).engines.node;
const fault = ownNodeFault();
if (fault && Number.parseInt(process.versions.node, 10) < Number(needed.replace(">=", "")))
  endWith(
    `This project needs Node ${needed}, and this is Node ${process.versions.node}. The one among its packages does ` +
      `not run here (${fault}): install what it lacks (on Debian: apt-get install libatomic1) or a newer Node from ` +
      "https://nodejs.org, and run this again.",
  );
// The scripts would find this Node first, and it does not run here.
if (fault) rmSync(OWN_NODE, { force: true });
if (process.argv.includes("--browser")) await installBrowsers();
if (process.argv.includes("--measure")) installPackages("measure");
