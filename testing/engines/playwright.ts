import type { BrowserType, LaunchOptions } from "@playwright/test";
import type { Engine } from "#testing/engines/engine.ts";
import { PageTab } from "#testing/engines/page-tab.ts";

/** Chromium, and the Firefox and WebKit that Playwright itself brings. */
export async function playwrightEngine(
  type: BrowserType,
  options: LaunchOptions = {},
): Promise<Engine> {
  const browser = await type.launch(options);
  return {
    newTab: async () => {
      const context = await browser.newContext({ locale: "ko-KR", serviceWorkers: "allow" });
      const page = await context.newPage();
      const tab = new PageTab(page, {
        resize: (size) => page.setViewportSize(size),
        close: () => context.close(),
      });
      page.on("console", tab.onConsole);
      page.on("pageerror", tab.onPageError);
      return tab;
    },
    stop: () => browser.close(),
  };
}
