import puppeteer from "puppeteer-core";
import type { Engine } from "#testing/engines/engine.ts";
import { PageTab } from "#testing/engines/page-tab.ts";

/** Firefox by WebDriver BiDi, which it speaks itself. */
export async function firefoxEngine(executablePath: string): Promise<Engine> {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath,
    extraPrefsFirefox: { "intl.accept_languages": "ko-KR" },
  });
  return {
    newTab: async () => {
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      const tab = new PageTab(page, {
        resize: (size) => page.setViewport(size),
        close: () => context.close(),
      });
      page.on("console", tab.onConsole);
      page.on("pageerror", tab.onPageError);
      return tab;
    },
    stop: () => browser.close(),
  };
}
