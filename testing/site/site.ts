import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { findPersonalData } from "#testing/hostile/find-personal-data.ts";
import { buildChildEnv } from "#testing/site/child-env.ts";
import { findFreePort } from "#testing/site/free-port.ts";
import { readStartCommand } from "#testing/site/start-command.ts";

/** Limits that tests from one address do not reach, unless a test sets its own. */
export const HIGH_LIMITS = {
  ADDRESS_REQUESTS_PER_MINUTE: "1000000",
  ADDRESS_APPLICATIONS_PER_10_MINUTES: "1000000",
  TOTAL_APPLICATIONS_PER_MINUTE: "1000000",
  SMS_HOURLY_LIMIT: "100000",
  SMS_DAILY_LIMIT: "100000",
  // The tests must not depend on the day of the week.
  WEEKLY_SUMMARY: "off",
};

/** The compile cache that the servers and commands of the tests share. */
export const COMPILE_CACHE_FOLDER = resolve("node_modules/.cache/compiled");

/** The production server in a separate process, as an operator starts it. */
export class Site {
  readonly url: string;
  readonly dataDir: string;
  readonly env: NodeJS.ProcessEnv;
  log = "";
  #folder: string;
  #process: ChildProcess | undefined;

  private constructor(port: number, dataDir: string, env: Record<string, string>, folder: string) {
    this.#folder = folder;
    this.url = `http://localhost:${port}`;
    this.dataDir = dataDir;
    this.env = {
      NODE_ENV: "production",
      ...buildChildEnv(),
      NODE_COMPILE_CACHE: COMPILE_CACHE_FOLDER,
      ...HIGH_LIMITS,
      ...env,
      PORT: String(port),
      HOSTNAME: "127.0.0.1",
      DATA_DIR: dataDir,
    };
  }

  /** Starts a server with these settings, on a free port and an empty data folder. `folder` has the build. */
  static async start(env: Record<string, string> = {}, folder = process.cwd()): Promise<Site> {
    const dataDir = await mkdtemp(join(tmpdir(), "site-"));
    const site = new Site(await findFreePort(), dataDir, env, folder);
    await site.startAgain();
    return site;
  }

  get isRunning(): boolean {
    const child = this.#process;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Restarts the server with the build in another folder, on the same port and data. */
  async deploy(folder: string): Promise<void> {
    await this.end("SIGTERM");
    this.#folder = folder;
    await this.startAgain();
  }

  /** Starts the server, which has ended or never run, on its port and data. Waits for the expected health. */
  async startAgain(isUp = ({ ok }: Response): boolean => ok): Promise<void> {
    const { flags, file } = readStartCommand();
    const child = spawn(process.execPath, [...flags, resolve(file)], {
      env: this.env,
      cwd: this.#folder,
    });
    this.#process = child;
    const keep = (chunk: Buffer) => {
      this.log += chunk.toString();
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    const deadline = Date.now() + 120_000;
    while (Date.now() < deadline) {
      if (child.exitCode !== null) break;
      const answer = await fetch(`${this.url}/api/health`).catch(() => undefined);
      if (answer && isUp(answer)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`The server did not come up:\n${this.log}`);
  }

  /** Sends a signal and waits until the process has ended. Returns its exit code (null after a SIGKILL). */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#process;
    if (!child || !this.isRunning) return child?.exitCode ?? null;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
    return child.exitCode;
  }

  /** Kills the server and deletes its data. @throws Error if its log contains personal data */
  async discard(): Promise<void> {
    await this.end("SIGKILL");
    await rm(this.dataDir, { recursive: true, force: true });
    const personal = findPersonalData(this.log);
    if (personal) throw new Error(`The server's log holds personal data: …${personal}…`);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.discard();
  }
}
