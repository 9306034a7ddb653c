import { existsSync } from "node:fs";
import { chromium, firefox, webkit } from "@playwright/test";
import { browserProgram } from "#build/browsers.mjs";
import { CHROMIUM_FLAGS } from "#build/chromium.ts";
import { firefoxEngine, playwrightEngine } from "#testing/engines/page-tab.ts";
import type { Engine, EngineName } from "#testing/engines/tab.ts";
import { webkitEngine } from "#testing/engines/webkit.ts";

/** How an engine is started on this machine; undefined where it is not there. Playwright's own builds come first. */
export function engineHere(name: EngineName): (() => Promise<Engine>) | undefined {
  const own = { chromium, firefox, webkit }[name];
  if (existsSync(own.executablePath())) return () => playwrightEngine(own);
  const executablePath = browserProgram(name);
  if (!executablePath) return undefined;
  return {
    chromium: () => playwrightEngine(chromium, { executablePath, args: CHROMIUM_FLAGS }),
    firefox: () => firefoxEngine(executablePath),
    webkit: webkitEngine,
  }[name];
}
