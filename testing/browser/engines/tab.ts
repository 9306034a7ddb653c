import { eventually } from "#testing/browser/eventually.ts";

/** Time limit of `until`. A headless browser is slow while other processes run. */
const UNTIL_TIMEOUT_MS = 120_000;

export const ENGINES = ["chromium", "firefox", "webkit"] as const;
export type EngineName = (typeof ENGINES)[number];

export interface RunningBrowser {
  newTab(): Promise<Tab>;
  stop(): Promise<void>;
}

/** Resolves when a navigation has ended, also with an error: some tests open pages that cannot be loaded. */
export async function awaitNavigation(navigation: Promise<unknown>): Promise<void> {
  await navigation.catch(() => undefined);
}

export interface WindowSize {
  width: number;
  height: number;
}

/** Edges in CSS pixels from the top left corner of the window. */
export interface ElementBox {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

export type PressableKey = "Tab" | "Enter" | "Escape" | "ArrowRight";

/** A page in a browser of any engine. The page's storage is empty at first. */
export abstract class Tab {
  /** Console errors and uncaught exceptions. */
  readonly errors: string[] = [];

  /** Resolves when the page has loaded or has failed to load; so does `reload`. */
  abstract open(address: string): Promise<void>;
  abstract reload(): Promise<void>;
  /** Resizes the page itself, not the window. */
  abstract resize(size: WindowSize): Promise<void>;
  /** Evaluates a JavaScript expression in the page and awaits its value. */
  protected abstract evaluate(expression: string): Promise<unknown>;
  /** Clicks at a point of the window. */
  protected abstract clickAt(x: number, y: number): Promise<void>;
  abstract type(text: string): Promise<void>;
  abstract pressKey(pressKey: PressableKey): Promise<void>;
  /** Returns a PNG. */
  abstract screenshot(): Promise<Buffer>;
  abstract close(): Promise<void>;

  /** Runs a function in the page. The function can use only its arguments, and cannot return elements. */
  async run<Args extends unknown[], Result>(
    code: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result> {
    return (await this.evaluate(`(${code})(...${JSON.stringify(args)})`)) as Result;
  }

  /** Waits until a function in the page returns a truthy value, and returns that value. */
  async until<Args extends unknown[], Result>(
    code: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<NonNullable<Result>> {
    const deadline = Date.now() + UNTIL_TIMEOUT_MS;
    for (;;) {
      // `evaluate` throws while the browser changes to another page.
      const result = await this.run(code, ...args).catch((error: Error) => error);
      if (result && !(result instanceof Error)) return result;
      if (Date.now() > deadline)
        throw new Error(`Waited in vain: ${[...args, result, code].join(" | ")}`);
      await new Promise((end) => setTimeout(end, 50));
    }
  }

  /** Starts a step back in the history, and does not wait for the page. */
  back(): Promise<void> {
    return this.run(() => history.back());
  }

  /** Goes to another page and back. @throws unless the back-forward cache restores the page with this element */
  async leaveAndReturn(elsewhere: string, css: string): Promise<void> {
    const path = await this.run((css) => {
      addEventListener("pageshow", ({ persisted }) => {
        Object.assign(globalThis, { restored: persisted && document.querySelector(css) !== null });
      });
      return location.pathname;
    }, css);
    const isAt = (path: string) =>
      location.pathname === path && Reflect.has(globalThis, "__next_f");
    await this.run((path) => location.assign(path), elsewhere);
    await this.until(isAt, elsewhere);
    await this.back();
    await this.until(isAt, path);
    const isRestored = () => this.run(() => Reflect.get(globalThis, "restored") === true);
    await eventually(isRestored, { timeout: 10_000 }).toBe(true);
  }

  waitForHydration(): Promise<boolean> {
    return this.until(() =>
      Object.keys(document.body).some((pressKey) => pressKey.startsWith("__react")),
    );
  }

  /** Waits until the first element with this text is visible, and returns the element's rectangle. */
  boxOf(css: string, text = ""): Promise<ElementBox> {
    return this.until(
      (css: string, text: string) => {
        const found = [...document.querySelectorAll(css)].find((each) =>
          each.textContent?.includes(text),
        );
        const { top, bottom, left, right } = found?.getBoundingClientRect() ?? new DOMRect();
        return right > left ? { top, bottom, left, right } : undefined;
      },
      css,
      text,
    );
  }

  waitForAnimations(): Promise<boolean> {
    return this.until(async () => {
      const ended = () =>
        document.getAnimations().every(({ playState }) => playState !== "running");
      if (!ended()) return false;
      // The last state of an animation is drawn one frame after its end.
      for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
      return ended();
    });
  }

  /** Clicks the first enabled element with this text, once that element is uncovered and does not move. */
  async click(css: string, text = ""): Promise<void> {
    const { x, y } = await this.until(
      async (css: string, text: string) => {
        for (const found of document.querySelectorAll(css)) {
          if (!found.textContent?.includes(text) || found.matches(":disabled")) continue;
          const middle = () => {
            const { left, top, width, height } = found.getBoundingClientRect();
            const [x, y] = [left + width / 2, top + height / 2];
            return found.contains(document.elementFromPoint(x, y)) ? { x, y } : undefined;
          };
          const before = middle();
          if (!before) found.scrollIntoView({ block: "center", behavior: "instant" });
          // The second animation frame starts after the browser has drawn the element at its reported position.
          for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
          const place = middle();
          return place?.y === before?.y ? place : undefined;
        }
        return undefined;
      },
      css,
      text,
    );
    await this.clickAt(x, y);
  }
}
