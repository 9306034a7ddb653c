import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, firefox, webkit } from "@playwright/test";
import { CHROMIUM_FLAGS, chromiumPath } from "#testing/chromium.ts";
import type { Engine, EngineName } from "#testing/engines/engine.ts";
import { firefoxEngine } from "#testing/engines/firefox.ts";
import { playwrightEngine } from "#testing/engines/playwright.ts";
import { webkitEngine } from "#testing/engines/webkit.ts";

const onPath = (name: string) =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));

/** How each engine is started on this machine; undefined where it is not there. Playwright's own builds come first. */
export function engineHere(name: EngineName): (() => Promise<Engine>) | undefined {
  const own = { chromium, firefox, webkit }[name];
  if (existsSync(own.executablePath())) return () => playwrightEngine(own);
  switch (name) {
    case "chromium": {
      const executablePath = chromiumPath();
      if (!executablePath) return undefined;
      return () => playwrightEngine(chromium, { executablePath, args: CHROMIUM_FLAGS });
    }
    case "firefox": {
      const path = onPath("firefox-esr") ?? onPath("firefox");
      return path ? () => firefoxEngine(path) : undefined;
    }
    case "webkit":
      return onPath("WebKitWebDriver") && onPath("Xvfb") ? webkitEngine : undefined;
  }
}
