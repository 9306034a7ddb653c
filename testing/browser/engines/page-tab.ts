import type { BrowserType, LaunchOptions } from "@playwright/test";
import puppeteer from "puppeteer-core";
import {
  awaitNavigation,
  type PressableKey,
  type RunningBrowser,
  Tab,
  type WindowSize,
} from "#testing/browser/engines/tab.ts";

/** Chromium, or Playwright's own build of Firefox or WebKit. */
export async function playwrightEngine(
  type: BrowserType,
  options: LaunchOptions = {},
): Promise<RunningBrowser> {
  const browser = await type.launch(options);
  return {
    newTab: async () => {
      const context = await browser.newContext({ locale: "ko-KR", serviceWorkers: "allow" });
      const page = await context.newPage();
      const resize = (size: WindowSize) => page.setViewportSize(size);
      const tab = new PageTab(page, { resize, close: () => context.close() });
      page.on("console", tab.onConsole).on("pageerror", tab.onPageError);
      return tab;
    },
    stop: () => browser.close(),
  };
}

/** The machine's Firefox, driven by WebDriver BiDi. */
export async function firefoxEngine(executablePath: string): Promise<RunningBrowser> {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath,
    extraPrefsFirefox: { "intl.accept_languages": "ko-KR" },
  });
  return {
    newTab: async () => {
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      const resize = (size: WindowSize) => page.setViewport(size);
      const tab = new PageTab(page, { resize, close: () => context.close() });
      page.on("console", tab.onConsole).on("pageerror", tab.onPageError);
      return tab;
    },
    stop: () => browser.close(),
  };
}

/** The API that Playwright's and Puppeteer's pages share. */
interface Page {
  goto(address: string): Promise<unknown>;
  reload(): Promise<unknown>;
  evaluate(expression: string): Promise<unknown>;
  screenshot(): Promise<Uint8Array>;
  readonly mouse: { click(x: number, y: number): Promise<void> };
  readonly keyboard: {
    type(text: string): Promise<void>;
    press(key: PressableKey): Promise<void>;
  };
}

/** The operations that differ between Playwright and Puppeteer. */
type TabOperations = Pick<Tab, "resize" | "close">;

class PageTab extends Tab {
  readonly #page: Page;
  readonly resize: TabOperations["resize"];
  readonly close: TabOperations["close"];

  constructor(page: Page, { resize, close }: TabOperations) {
    super();
    this.#page = page;
    this.resize = resize;
    this.close = close;
  }

  onConsole = (message: { type(): string; text(): string }) => {
    if (message.type() === "error") this.onPageError(message.text());
  };
  onPageError = (error: unknown) => {
    // Firefox logs this error when a page was left during a request of the service worker.
    if (!/ServiceWorker intercepted/.test(String(error))) this.errors.push(String(error));
  };

  open = (address: string) => awaitNavigation(this.#page.goto(address));
  reload = () => awaitNavigation(this.#page.reload());
  evaluate = (expression: string) => this.#page.evaluate(expression);
  clickAt = (x: number, y: number) => this.#page.mouse.click(x, y);
  type = (text: string) => this.#page.keyboard.type(text);
  pressKey = (key: PressableKey) => this.#page.keyboard.press(key);
  screenshot = async () => Buffer.from(await this.#page.screenshot());
}
