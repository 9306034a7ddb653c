/**
 * The browsers of the end-to-end tests: Debian's packages for each, and whether this machine has it. Plain
 * JavaScript, because testing/browser/install.mjs reads it under an old Node.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Chromium without windows. Playwright's own Chromium brings it along, under this name too. */
export const SHELL = "chromium-headless-shell";

/** Debian's packages, and the names under which a machine may have the program. */
export const BROWSERS = {
  chromium: { packages: ["chromium"], programs: ["chromium", "google-chrome"] },
  [SHELL]: { packages: [SHELL], programs: [SHELL] },
  firefox: { packages: ["firefox-esr"], programs: ["firefox-esr", "firefox"] },
  webkit: {
    packages: ["webkit2gtk-driver", "gir1.2-webkit2-4.1", "python3-gi", "xvfb"],
    programs: ["WebKitWebDriver"],
  },
};

/** Import that testing/browser/engines/webkit-window.py needs for its window. */
const WEBKIT_WINDOW = "import gi; gi.require_version('WebKit2', '4.1')";

/** @param {string} name */
function onPath(name) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/**
 * The program with which the tests drive this browser; undefined where it, or what it needs, is missing.
 * @param {"chromium" | "chromium-headless-shell" | "firefox" | "webkit"} browser
 */
export function browserProgram(browser) {
  const [program] = BROWSERS[browser].programs.map(onPath).filter((path) => path !== undefined);
  if (browser !== "webkit" || program === undefined) return program;
  const window = spawnSync("/usr/bin/python3", ["-c", WEBKIT_WINDOW]);
  return onPath("Xvfb") && window.status === 0 ? program : undefined;
}
