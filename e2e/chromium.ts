import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";

/** The Chromium that Playwright brought, or else the one that is installed on the machine. */
export function chromiumPath(): string | undefined {
  if (existsSync(chromium.executablePath())) return undefined;
  const folders = (process.env.PATH ?? "").split(delimiter);
  return ["chromium", "google-chrome"]
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}
