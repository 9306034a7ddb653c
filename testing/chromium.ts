import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { browserProgram } from "#build/browsers.mjs";

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
