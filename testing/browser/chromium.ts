import { existsSync } from "node:fs";
import { chromium, type LaunchOptions } from "@playwright/test";
import { browserProgram, SHELL } from "#testing/browser/browsers.mjs";

/** The Chromium that Playwright brought (undefined), or else the path of the one on this machine. */
export function chromiumPath(): string | undefined {
  return existsSync(chromium.executablePath()) ? undefined : browserProgram("chromium");
}

/** Nothing of the browser's own goes over the network. */
export const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const started = (executablePath: string | undefined, ...more: string[]): LaunchOptions => ({
  ...(executablePath && { executablePath }),
  args: [...CHROMIUM_FLAGS, ...more],
});

/**
 * As Playwright's own: without windows, whose drawing takes two thirds of the work of a new tab. A tab lives for
 * seconds: code that V8 compiles a second time, for speed, hardly runs again.
 */
export const WITHOUT_WINDOWS = started(
  existsSync(chromium.executablePath())
    ? undefined
    : (browserProgram(SHELL) ?? browserProgram("chromium")),
  "--js-flags=--no-opt --no-maglev",
);

/** With windows, as people have it. */
export const WITH_WINDOWS = { ...started(chromiumPath()), channel: "chromium" };
