/**
 * Installs what is missing. Plain JavaScript, because an old Node must be able to read this script.
 *   node build/set-up.mjs            installs the packages of the lockfile
 *   node build/set-up.mjs --browser  also installs the browsers of the end-to-end tests
 *   node build/set-up.mjs --measure  also installs the packages of measure/package.json
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { linkOwnNode } from "./link-own-node.mjs";

/** The options overrule npm's settings and NODE_ENV, which may exclude packages. */
const INSTALL_ARGUMENTS = ["ci", "--include=dev", "--include=optional"];

function installPackages(folder) {
  const lock = join(folder, "package-lock.json");
  const installed = join(folder, "node_modules", ".installed-lock.json");
  if (existsSync(installed) && readFileSync(installed, "utf8") === readFileSync(lock, "utf8"))
    return;
  const options = { cwd: folder, stdio: "inherit", shell: process.platform === "win32" };
  if (spawnSync("npm", INSTALL_ARGUMENTS, options).status !== 0) process.exit(1);
  copyFileSync(lock, installed);
}

installPackages(".");
linkOwnNode();
if (process.argv.includes("--browser")) {
  const { installBrowsers } = await import("#testing/browser/install.mjs");
  await installBrowsers();
}
if (process.argv.includes("--measure")) installPackages("measure");
