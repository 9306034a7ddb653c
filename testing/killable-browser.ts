import { once } from "node:events";
import { type BrowserContext, chromium } from "@playwright/test";
import puppeteer, { type Browser } from "puppeteer-core";
import { CHROMIUM_FLAGS, chromiumPath } from "#build/chromium.ts";

/**
 * A Chromium with a profile that survives it. Puppeteer starts it, which names its process; Playwright drives it.
 */
export class KillableBrowser {
  readonly context: BrowserContext;
  readonly #process: ReturnType<Browser["process"]>;

  private constructor(context: BrowserContext, process: ReturnType<Browser["process"]>) {
    this.context = context;
    this.#process = process;
  }

  static async launch(profile: string): Promise<KillableBrowser> {
    const started = await puppeteer.launch({
      executablePath: chromiumPath() ?? chromium.executablePath(),
      userDataDir: profile,
      args: [...CHROMIUM_FLAGS, "--lang=ko-KR"],
      timeout: 120_000,
    });
    const child = started.process();
    const browser = await chromium.connectOverCDP(started.wsEndpoint());
    await started.disconnect();
    const [context] = browser.contexts();
    if (!context) throw new Error("the browser has no window");
    return new KillableBrowser(context, child);
  }

  /** Ends all of its processes at once, as a crash or the system does. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    process.kill(-child.pid, "SIGKILL");
    await exited;
  }
}
