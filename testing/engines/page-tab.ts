import { settled } from "#testing/engines/engine.ts";
import { type Key, type Size, Tab } from "#testing/engines/tab.ts";

/** What the pages of Playwright and Puppeteer have in common. */
interface Page {
  goto(address: string): Promise<unknown>;
  reload(): Promise<unknown>;
  evaluate(expression: string): Promise<unknown>;
  screenshot(): Promise<Uint8Array>;
  readonly mouse: { click(x: number, y: number): Promise<void> };
  readonly keyboard: {
    type(text: string): Promise<void>;
    press(key: Key): Promise<void>;
  };
}

/** What they do each in their own way. */
interface Own {
  resize: (size: Size) => Promise<void>;
  close: () => Promise<void>;
}

/** A page that Playwright or Puppeteer drives. */
export class PageTab extends Tab {
  readonly #page: Page;
  readonly resize: Own["resize"];
  readonly close: Own["close"];

  constructor(page: Page, { resize, close }: Own) {
    super();
    this.#page = page;
    this.resize = resize;
    this.close = close;
  }

  /** Its page must be told to call these. */
  onConsole = (message: { type(): string; text(): string }) => {
    if (message.type() === "error") this.errors.push(message.text());
  };
  onPageError = (error: unknown) => {
    this.errors.push(String(error));
  };

  open = (address: string) => settled(this.#page.goto(address));
  reload = () => settled(this.#page.reload());
  evaluate = (expression: string) => this.#page.evaluate(expression);
  pressAt = (x: number, y: number) => this.#page.mouse.click(x, y);
  type = (text: string) => this.#page.keyboard.type(text);
  key = (key: Key) => this.#page.keyboard.press(key);
  screenshot = async () => Buffer.from(await this.#page.screenshot());
}
