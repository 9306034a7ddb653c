import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";

/** The Chromium that Playwright brought (undefined), or else the path of the one on this machine. */
export function chromiumPath(): string | undefined {
  if (existsSync(chromium.executablePath())) return undefined;
  const folders = (process.env.PATH ?? "").split(delimiter);
  return ["chromium", "google-chrome"]
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
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
