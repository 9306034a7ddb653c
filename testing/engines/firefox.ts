import puppeteer, { type Page } from "puppeteer-core";
import { type Engine, settled } from "#testing/engines/engine.ts";
import { type Key, type Size, Tab } from "#testing/engines/tab.ts";

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
      return new FirefoxTab(await context.newPage());
    },
    stop: () => browser.close(),
  };
}

class FirefoxTab extends Tab {
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
  resize = (size: Size) => this.#page.setViewport(size);
  evaluate = (expression: string) => this.#page.evaluate(expression);
  pressAt = (x: number, y: number) => this.#page.mouse.click(x, y);
  type = (text: string) => this.#page.keyboard.type(text);
  key = (key: Key) => this.#page.keyboard.press(key);
  screenshot = async () => Buffer.from(await this.#page.screenshot());
  close = () => this.#page.browserContext().close();
}
