/** Browsers of the end-to-end tests. The installation runs this file on any Node from 20 on, so it is JavaScript. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** It has a row of its own, because Debian packages it apart from Chromium. Playwright installs both together. */
export const HEADLESS_CHROMIUM = "chromium-headless-shell";

export const BROWSERS = {
  chromium: { packages: ["chromium"], programs: ["chromium", "google-chrome"] },
  [HEADLESS_CHROMIUM]: { packages: [HEADLESS_CHROMIUM], programs: [HEADLESS_CHROMIUM] },
  firefox: { packages: ["firefox-esr"], programs: ["firefox-esr", "firefox"] },
  webkit: {
    packages: ["webkit2gtk-driver", "gir1.2-webkit2-4.1", "python3-gi", "xvfb"],
    programs: ["WebKitWebDriver"],
  },
};

/** Python code that fails if testing/browser/engines/webkit-window.py lacks its library. */
const WEBKIT_PROBE = "import gi; gi.require_version('WebKit2', '4.1')";

function findOnPath(name) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/**
 * The program that tests start for a browser (for WebKit: its driver); undefined if a part of the browser is missing.
 * @param {"chromium" | "chromium-headless-shell" | "firefox" | "webkit"} browser
 */
export function findBrowserProgram(browser) {
  const [program] = BROWSERS[browser].programs.map(findOnPath).filter((path) => path !== undefined);
  if (browser !== "webkit" || program === undefined) return program;
  const window = spawnSync("/usr/bin/python3", ["-c", WEBKIT_PROBE]);
  return findOnPath("Xvfb") && window.status === 0 ? program : undefined;
}
