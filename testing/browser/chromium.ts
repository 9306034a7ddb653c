import { existsSync } from "node:fs";
import { chromium, type LaunchOptions } from "@playwright/test";
import { findBrowserProgram, HEADLESS_CHROMIUM } from "#testing/browser/browsers.mjs";

/** The path of this machine's Chromium; undefined if Playwright's Chromium is installed, or if none is found. */
export function findSubstituteChromium(): string | undefined {
  return existsSync(chromium.executablePath()) ? undefined : findBrowserProgram("chromium");
}

/** Flags that turn off the sandbox, the GPU, QUIC, the first-run page and the browser's own network requests. */
export const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const launchOptions = (executablePath: string | undefined, ...more: string[]): LaunchOptions => ({
  ...(executablePath && { executablePath }),
  args: [...CHROMIUM_FLAGS, ...more],
});

/**
 * The headless shell opens a tab in a third of the time of a full browser. V8 does not optimise, because most tabs
 * live only for seconds.
 */
export const HEADLESS_SHELL_OPTIONS = launchOptions(
  existsSync(chromium.executablePath())
    ? undefined
    : (findBrowserProgram(HEADLESS_CHROMIUM) ?? findBrowserProgram("chromium")),
  "--js-flags=--no-opt --no-maglev",
);

export const FULL_BROWSER_OPTIONS = {
  ...launchOptions(findSubstituteChromium()),
  channel: "chromium",
};
