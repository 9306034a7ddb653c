import { eventually } from "#testing/browser/eventually.ts";

/** Time limit of every wait. A browser without a screen is slow while others take the processors. */
const LIMIT_MS = 120_000;

export const ENGINES = ["chromium", "firefox", "webkit"] as const;
export type EngineName = (typeof ENGINES)[number];

/** A browser that was started. */
export interface Engine {
  newTab(): Promise<Tab>;
  stop(): Promise<void>;
}

/** A page that cannot be loaded is what some tests are about. */
export async function settled(navigation: Promise<unknown>): Promise<void> {
  await navigation.catch(() => undefined);
}

export interface Size {
  width: number;
  height: number;
}

/** An element's box, in CSS pixels from the corner of the window. */
export interface Box {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

export type Key = "Tab" | "Enter" | "Escape" | "ArrowRight";

/**
 * A page in a browser, whichever engine it has, with nothing stored at first. What is abstract each browser
 * does in its own way (page-tab.ts, webkit.ts).
 */
export abstract class Tab {
  /** Console errors and uncaught exceptions. */
  readonly errors: string[] = [];

  /** Resolves when the page has loaded, and also when it could not be; so does `reload`. */
  abstract open(address: string): Promise<void>;
  abstract reload(): Promise<void>;
  /** Resizes the page itself, not the window. */
  abstract resize(size: Size): Promise<void>;
  /** What a JavaScript expression gives in the page; a promise is waited for. */
  protected abstract evaluate(expression: string): Promise<unknown>;
  /** Presses the mouse where this point of the page is seen. */
  protected abstract pressAt(x: number, y: number): Promise<void>;
  /** Types into what has the focus. */
  abstract type(text: string): Promise<void>;
  abstract key(key: Key): Promise<void>;
  /** Returns a PNG. */
  abstract screenshot(): Promise<Buffer>;
  abstract close(): Promise<void>;

  /** Runs a function in the page. It sees its arguments only, and returns no element. */
  async run<Args extends unknown[], Result>(
    code: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result> {
    return (await this.evaluate(`(${code})(...${JSON.stringify(args)})`)) as Result;
  }

  /** Waits until a function returns something true in the page, and returns it. */
  async until<Args extends unknown[], Result>(
    code: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<NonNullable<Result>> {
    const deadline = Date.now() + LIMIT_MS;
    for (;;) {
      // A page that is being left cannot be asked.
      const result = await this.run(code, ...args).catch((error: Error) => error);
      if (result && !(result instanceof Error)) return result;
      if (Date.now() > deadline)
        throw new Error(`Waited in vain: ${[...args, result, code].join(" | ")}`);
      await new Promise((end) => setTimeout(end, 50));
    }
  }

  /** Begins to go back. A page that was kept whole is there without being loaded. */
  back(): Promise<void> {
    return this.run(() => history.back());
  }

  /** Goes to another page of the site and back. @throws when the page was not kept whole, with this in it */
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

  /** The page's script has come and has taken the page over. */
  alive(): Promise<boolean> {
    return this.until(() => Object.keys(document.body).some((key) => key.startsWith("__react")));
  }

  /** The box of the first element with this text; waits until it is shown. */
  boxOf(css: string, text = ""): Promise<Box> {
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

  /** Nothing moves any more. */
  still(): Promise<boolean> {
    return this.until(async () => {
      const ended = () =>
        document.getAnimations().every(({ playState }) => playState !== "running");
      if (!ended()) return false;
      // Its last state is drawn a frame after its time is over.
      for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
      return ended();
    });
  }

  /** Presses the first element with this text once nothing lies over it, and nothing moves it. */
  async press(css: string, text = ""): Promise<void> {
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
          // It is pressed where it is drawn, and a browser draws it there a frame after it says where it is.
          for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
          const place = middle();
          return place?.y === before?.y ? place : undefined;
        }
        return undefined;
      },
      css,
      text,
    );
    await this.pressAt(x, y);
  }
}
