import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { BROWSERS, findBrowserProgram, HEADLESS_CHROMIUM } from "#testing/browser/browsers.mjs";

function runInstaller(command, args) {
  const options = { stdio: "inherit", shell: process.platform === "win32" };
  return spawnSync(command, args, options).status === 0;
}

/** Installs Debian's browsers as root, or else Playwright's. Ends the process if no Chromium can be installed. */
export async function installBrowsers() {
  const playwright = await import("@playwright/test");
  const isMissing = (name) =>
    !existsSync(playwright[name === HEADLESS_CHROMIUM ? "chromium" : name].executablePath()) &&
    findBrowserProgram(name) === undefined;
  let missing = Object.keys(BROWSERS).filter(isMissing);
  if (missing.length > 0 && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    const packages = missing.flatMap((name) => BROWSERS[name].packages);
    console.info(`The end-to-end tests need browsers. Installing ${packages.join(", ")}.`);
    runInstaller("apt-get", ["update", "-q"]);
    for (const name of missing)
      runInstaller("apt-get", ["install", "-yq", ...BROWSERS[name].packages]);
    missing = missing.filter(isMissing);
  }
  // The headless shell is optional: without it, the tests take longer.
  missing = missing.filter(
    (name) => name !== HEADLESS_CHROMIUM && !runInstaller("npx", ["playwright", "install", name]),
  );
  if (missing.includes("chromium")) {
    console.error("No Chromium could be installed: install one and run this again.");
    process.exit(1);
  }
  if (missing.length > 0)
    console.info(
      `Nothing is tested in ${missing.join(" and ")}, which could not be installed here.`,
    );
}
