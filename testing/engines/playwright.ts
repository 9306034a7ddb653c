import type { BrowserType, LaunchOptions, Page } from "@playwright/test";
import { type Engine, settled } from "#testing/engines/engine.ts";
import { type Key, type Size, Tab } from "#testing/engines/tab.ts";

/** Chromium, and the Firefox and WebKit that Playwright itself brings. */
export async function playwrightEngine(
  type: BrowserType,
  options: LaunchOptions = {},
): Promise<Engine> {
  const browser = await type.launch(options);
  return {
    newTab: async () => {
      const context = await browser.newContext({ locale: "ko-KR", serviceWorkers: "allow" });
      return new PlaywrightTab(await context.newPage());
    },
    stop: () => browser.close(),
  };
}

class PlaywrightTab extends Tab {
  readonly #page: Page;

  constructor(page: Page) {
    super();
    this.#page = page;
    page.on("console", (message) => {
      if (message.type() === "error") this.errors.push(message.text());
    });
    page.on("pageerror", (error) => this.errors.push(String(error)));
  }

  open = (address: string) => settled(this.#page.goto(address));
  reload = () => settled(this.#page.reload());
  resize = (size: Size) => this.#page.setViewportSize(size);
  evaluate = (expression: string) => this.#page.evaluate(expression);
  pressAt = (x: number, y: number) => this.#page.mouse.click(x, y);
  type = (text: string) => this.#page.keyboard.type(text);
  key = (key: Key) => this.#page.keyboard.press(key);
  screenshot = () => this.#page.screenshot();
  close = () => this.#page.context().close();
}
