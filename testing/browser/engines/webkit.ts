import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import {
  awaitNavigation,
  type PressableKey,
  type RunningBrowser,
  Tab,
  type WindowSize,
} from "#testing/browser/engines/tab.ts";
import { eventually } from "#testing/browser/eventually.ts";
import { findFreePort } from "#testing/site/free-port.ts";

const WINDOW_PROGRAM = resolve("testing/browser/engines/webkit-window.py");
const START_LIMIT_MS = 120_000;
/** Time limit of one command, such as loading a page. */
const ANSWER_LIMIT_MS = 60_000;
/** The virtual screen is larger than any window of the tests. */
const SCREEN = "2400x2000x24";
/** WebDriver's key codes. */
const KEYS = { Tab: "\uE004", Enter: "\uE007", Escape: "\uE00C", ArrowRight: "\uE014" } as const;
/** Matches console errors, except those about resources of a page that was left. */
const CONSOLE_ERROR_PATTERN =
  /CONSOLE (?:\w+ )?ERROR (?!Cannot load \S+ due to access control checks)(.*)/g;

/** WebKitGTK, which has Safari's engine, driven by WebDriver on a virtual screen. */
export async function webkitEngine(): Promise<RunningBrowser> {
  const screen = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", SCREEN, "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const [display] = await once(screen.stdio[3] as Readable, "data");
  const port = await findFreePort();
  const server = spawn("WebKitWebDriver", [`--port=${port}`], {
    env: { ...process.env, DISPLAY: `:${String(display).trim()}` },
  });
  const address = `http://127.0.0.1:${port}`;
  const isUp = () => fetch(`${address}/status`).then(Boolean, () => false);
  await eventually(isUp, { timeout: START_LIMIT_MS }).toBe(true);
  return {
    newTab: async () => {
      const folder = await mkdtemp(join(tmpdir(), "webkit-"));
      const browser = { binary: WINDOW_PROGRAM, args: [folder] };
      const { sessionId } = await sendCommand<{ sessionId: string }>("POST", `${address}/session`, {
        capabilities: { alwaysMatch: { "webkitgtk:browserOptions": browser } },
      });
      return new WebKitTab(`${address}/session/${sessionId}`, server.stderr, folder);
    },
    stop: async () => {
      for (const child of [server, screen]) {
        const exited = once(child, "exit");
        child.kill();
        await exited;
      }
    },
  };
}

/** Sends a command to a W3C WebDriver server. @throws Error with the server's message */
async function sendCommand<Result>(
  method: "GET" | "POST" | "DELETE",
  address: string,
  body?: object,
) {
  const signal = AbortSignal.timeout(ANSWER_LIMIT_MS);
  const sent = body && { body: JSON.stringify(body) };
  const answer = await fetch(address, { method, signal, ...sent });
  const { value } = (await answer.json()) as { value: Result };
  if (!answer.ok) throw new Error(`${method} ${address}: ${JSON.stringify(value)}`);
  return value;
}

class WebKitTab extends Tab {
  readonly #session: string;
  readonly #output: Readable;
  readonly #folder: string;

  constructor(session: string, output: Readable, folder: string) {
    super();
    this.#session = session;
    this.#output = output;
    this.#folder = folder;
    output.on("data", this.#collectErrors);
  }

  open = (url: string) => awaitNavigation(this.#post("url", { url }));
  reload = () => awaitNavigation(this.#post("refresh"));
  resize = (size: WindowSize) => this.#post<void>("window/rect", size);

  async evaluate(expression: string): Promise<unknown> {
    const script = `const done = arguments[0];
      new Promise((end) => end(${expression})).then((value) => done({ value }), (error) => done({ error: String(error) }))`;
    const answer = await this.#post<{ value?: unknown; error?: string }>("execute/async", {
      script,
      args: [],
    });
    if (answer.error) throw new Error(answer.error);
    return answer.value;
  }

  clickAt = (x: number, y: number) =>
    this.#act("pointer", [
      { type: "pointerMove", x: Math.round(x), y: Math.round(y) },
      { type: "pointerDown", button: 0 },
      { type: "pointerUp", button: 0 },
    ]);

  type = (text: string) =>
    this.#act(
      "key",
      [...text].flatMap((value) => [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ]),
    );

  pressKey = (key: PressableKey) => this.type(KEYS[key]);

  async screenshot(): Promise<Buffer> {
    const image = await sendCommand<string>("GET", `${this.#session}/screenshot`);
    return Buffer.from(image, "base64");
  }

  async close(): Promise<void> {
    this.#output.off("data", this.#collectErrors);
    await sendCommand("DELETE", this.#session);
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #post<Result>(path: string, body = {}) {
    return sendCommand<Result>("POST", `${this.#session}/${path}`, body);
  }

  #act(type: "pointer" | "key", actions: object[]) {
    return this.#post<void>("actions", { actions: [{ type, id: type, actions }] });
  }

  /** The output of WebKitWebDriver contains the console of the page. */
  #collectErrors = (output: Buffer) => {
    for (const [, error = ""] of String(output).matchAll(CONSOLE_ERROR_PATTERN))
      this.errors.push(error);
  };
}
