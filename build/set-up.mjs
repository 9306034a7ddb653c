/**
 * Installs what is missing, so that a fresh machine needs one command. Plain JavaScript that an old
 * Node runs too: the project's own runtime is only there once this has installed it.
 *   node build/set-up.mjs            the packages of the lockfile
 *   node build/set-up.mjs --browser  and a Chromium for the end-to-end tests
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";

const LOCK = "package-lock.json";
/** The lockfile that node_modules was installed from. */
const INSTALLED = join("node_modules", ".installed-lock.json");

function run(command, args) {
  const { status } = spawnSync(command, args, {
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  return status === 0;
}

function packagesAreInstalled() {
  return existsSync(INSTALLED) && readFileSync(INSTALLED, "utf8") === readFileSync(LOCK, "utf8");
}

function onPath(name) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, name)));
}

async function browserIsInstalled() {
  if (onPath("chromium") || onPath("google-chrome")) return true;
  const { chromium } = await import("@playwright/test");
  return existsSync(chromium.executablePath());
}

function installBrowser() {
  const isRoot = process.getuid?.() === 0;
  if (process.platform === "linux" && onPath("apt-get") && isRoot) {
    if (run("apt-get", ["update", "-q"]) && run("apt-get", ["install", "-y", "-q", "chromium"]))
      return true;
  }
  return run("npx", ["playwright", "install", "chromium"]);
}

if (!packagesAreInstalled()) {
  if (!run("npm", ["ci"])) process.exit(1);
  copyFileSync(LOCK, INSTALLED);
}
if (process.argv.includes("--browser") && !(await browserIsInstalled()) && !installBrowser()) {
  console.error("No Chromium could be installed: install one and run this again.");
  process.exit(1);
}
