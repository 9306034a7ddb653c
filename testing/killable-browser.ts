import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type BrowserContext, chromium } from "@playwright/test";
import { chromiumPath } from "#build/chromium.ts";

const ARGS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-component-update",
  "--disable-sync",
  "--remote-debugging-port=0",
  "--lang=ko-KR",
];
const START_LIMIT_MS = 120_000;

/** A Chromium in a process of its own, with a profile that survives it. */
export class KillableBrowser {
  readonly context: BrowserContext;
  readonly #process: ChildProcess;

  private constructor(context: BrowserContext, process: ChildProcess) {
    this.context = context;
    this.#process = process;
  }

  static async launch(profile: string): Promise<KillableBrowser> {
    const child = spawn(
      chromiumPath() ?? chromium.executablePath(),
      [...ARGS, `--user-data-dir=${profile}`, "about:blank"],
      { detached: true, stdio: ["ignore", "ignore", "pipe"] },
    );
    const browser = await chromium.connectOverCDP(await endpointOf(child));
    const [context] = browser.contexts();
    if (!context) throw new Error("the browser has no window");
    return new KillableBrowser(context, child);
  }

  /** Ends all of its processes at once, as a crash or the system does. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    process.kill(-child.pid, "SIGKILL");
    await exited;
  }
}

/** The address of its DevTools, which it prints to its standard error output. */
async function endpointOf(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = "";
  child.stderr?.on("data", (chunk) => {
    said += chunk;
    const [, endpoint] = /DevTools listening on (ws:\S+)/.exec(said) ?? [];
    if (endpoint) resolve(endpoint);
  });
  child.once("exit", () => reject(new Error(`The browser did not start:\n${said}`)));
  const timer = setTimeout(() => reject(new Error("The browser says nothing")), START_LIMIT_MS);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
