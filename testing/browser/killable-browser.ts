import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "@playwright/test";
import puppeteer from "puppeteer-core";
import { CHROMIUM_FLAGS, findSubstituteChromium } from "#testing/browser/chromium.ts";

/** Puppeteer starts Chromium, because its API gives the process to kill. Playwright drives the browser. */
async function start(userDataDir: string) {
  const started = await puppeteer.launch({
    executablePath: findSubstituteChromium() ?? chromium.executablePath(),
    userDataDir,
    args: [...CHROMIUM_FLAGS, "--lang=ko-KR"],
    timeout: 120_000,
  });
  const child = started.process();
  const browser = await chromium.connectOverCDP(started.wsEndpoint());
  await started.disconnect();
  const [context] = browser.contexts();
  if (!context) throw new Error("the browser has no window");
  return { context, child };
}

/** A Chromium whose profile survives a kill. `await using` ends the browser and deletes the profile. */
export class KillableBrowser implements AsyncDisposable {
  #running: Awaited<ReturnType<typeof start>>;
  readonly #profile: string;

  private constructor(profile: string, running: Awaited<ReturnType<typeof start>>) {
    this.#profile = profile;
    this.#running = running;
  }

  static async launch(): Promise<KillableBrowser> {
    const profile = await mkdtemp(join(tmpdir(), "killable-"));
    return new KillableBrowser(profile, await start(profile));
  }

  get context(): BrowserContext {
    return this.#running.context;
  }

  /** Kills all processes of the browser at once, like a crash. */
  async kill(): Promise<void> {
    const { child } = this.#running;
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    process.kill(-child.pid, "SIGKILL");
    await exited;
  }

  async startAgain(): Promise<void> {
    this.#running = await start(this.#profile);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
