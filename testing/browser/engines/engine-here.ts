import { existsSync } from "node:fs";
import { chromium, firefox, webkit } from "@playwright/test";
import { findBrowserProgram } from "#testing/browser/browsers.mjs";
import { CHROMIUM_FLAGS } from "#testing/browser/chromium.ts";
import { firefoxEngine, playwrightEngine } from "#testing/browser/engines/page-tab.ts";
import type { EngineName, RunningBrowser } from "#testing/browser/engines/tab.ts";
import { webkitEngine } from "#testing/browser/engines/webkit.ts";

/** Finds Playwright's build of an engine, or else the machine's. Undefined if the machine has no such engine. */
export function findEngineStarter(name: EngineName): (() => Promise<RunningBrowser>) | undefined {
  const own = { chromium, firefox, webkit }[name];
  if (existsSync(own.executablePath())) return () => playwrightEngine(own);
  const executablePath = findBrowserProgram(name);
  if (!executablePath) return undefined;
  return {
    chromium: () => playwrightEngine(chromium, { executablePath, args: CHROMIUM_FLAGS }),
    firefox: () => firefoxEngine(executablePath),
    webkit: webkitEngine,
  }[name];
}
