/** Starts the bench's server in a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../testing/free-port.ts";

/** The path of each way of taking an application. */
export const BENCH_PATHS = { stores: "/stores", mails: "/mails" } as const;

export interface RunningSite extends AsyncDisposable {
  url: string;
}

/** Starts a server with these settings, on a free port and an empty data folder; disposing of it ends both. */
export async function startBenchSite(env: Record<string, string>): Promise<RunningSite> {
  const dataDir = mkdtempSync(join(tmpdir(), "bench-"));
  const port = await freePort();
  const child = spawn(process.execPath, ["measure/server.ts"], {
    env: {
      ...process.env,
      NODE_ENV: "production",
      DATA_DIR: dataDir,
      PORT: `${port}`,
      HOSTNAME: "127.0.0.1",
      ADDRESS_REQUESTS_PER_MINUTE: "1000000",
      ADDRESS_APPLICATIONS_PER_10_MINUTES: "1000000",
      TOTAL_APPLICATIONS_PER_MINUTE: "1000000",
      ...env,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  await answering(url, child);
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline && child.exitCode === null) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("the bench's server did not come up");
}
