import type { Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import tty from "node:tty";
import { log } from "#lib/log.ts";

const GRACE_MS = 10_000;
/** Grace period in development: short, because hot reload keeps a browser's connection open for ever. */
const DEV_GRACE_MS = 500;
const EXIT_TIMEOUT_MS = 15_000;
const IDLE_CHECK_MS = 100;
/** A repeated signal within this time is the same signal: npm also gets it, and passes its copy on. */
const SAME_SIGNAL_MS = 1_000;

export interface ShutdownDeps {
  server: Pick<Server, "close" | "closeIdleConnections" | "closeAllConnections">;
  worker: { stop(): Promise<void> };
  /** Parts that close after everything else, in this order. */
  lastToClose: { close(): Promise<void> }[];
}

/** Accepts no new connection, waits up to `graceMs` for requests and deliveries under way, and closes everything. */
export async function shutDown({ server, worker, lastToClose }: ShutdownDeps, graceMs: number) {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Closes each kept-alive connection once its request is answered.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const logFailure = (err: unknown) =>
    log.error({ err }, "closing a part of the process failed, closing the next one");
  const finished = Promise.all([closed, worker.stop().catch(logFailure)]);
  await Promise.race([finished, pause(graceMs, undefined, { ref: false })]);
  clearInterval(idle);
  server.closeAllConnections();
  for (const part of lastToClose) await part.close().catch(logFailure);
}

/**
 * SIGTERM, SIGINT and SIGHUP end the process within 15 s. Another SIGTERM or SIGINT, a second later or more, ends it at
 * once. Another SIGHUP does not, because a closing terminal sends several. Without a terminal every SIGHUP is ignored,
 * as nohup wants it: Node has undone the effect of nohup.
 */
export function stopOnSignals(deps: ShutdownDeps, { dev }: { dev: boolean }): void {
  let stoppingSince: number | undefined;
  const stop = (signal: NodeJS.Signals) => {
    const isAtTerminal = [0, 1, 2].some((fd) => tty.isatty(fd));
    if (signal === "SIGHUP" && (stoppingSince !== undefined || !isAtTerminal)) return;
    const now = performance.now();
    if (now - (stoppingSince ?? now) >= SAME_SIGNAL_MS) process.exit(1);
    if (stoppingSince !== undefined) return;
    stoppingSince = now;
    log.info({ signal }, "stopping, finishing requests and deliveries under way");
    setTimeout(() => {
      log.error("closing took over 15 seconds, ending the process");
      process.exit(1);
    }, EXIT_TIMEOUT_MS).unref();
    shutDown(deps, dev ? DEV_GRACE_MS : GRACE_MS).then(() => {
      log.info("stopped");
      process.exit(0);
    });
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"])
    process.removeAllListeners(signal).on(signal, stop);
}
