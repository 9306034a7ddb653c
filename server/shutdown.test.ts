import { spawn } from "node:child_process";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import tty from "node:tty";
import { expect, onTestFinished, test, vi } from "vitest";
import { createHttpServer, listen } from "#server/http.ts";
import { shutDown, stopOnSignals } from "#server/shutdown.ts";
import { SERVER_OPTIONS } from "#testing/site/http-server.ts";

/** No test waits for the end of this grace period. */
const GRACE_MS = 60_000;
const worker = { stop: async () => {} };

/** Starts a server whose first request the test answers. */
async function startServer() {
  const arrived = Promise.withResolvers<ServerResponse>();
  const server = createHttpServer(async (_, response) => arrived.resolve(response), SERVER_OPTIONS);
  // The server's own time limits must not end a stalled request.
  Object.assign(server, { timeout: 0, requestTimeout: 0 });
  return { server, arrived: arrived.promise, port: await listen(server, 0, "127.0.0.1") };
}

test("the store closes last, even if other parts fail", async () => {
  const { server, arrived, port } = await startServer();
  const answer = fetch(`http://127.0.0.1:${port}/`);
  const events: string[] = [];
  const sent = Promise.withResolvers<void>();
  const stop = () => sent.promise.then(() => Promise.reject(new Error("the last send failed")));
  const failing = { close: () => Promise.reject(new Error("the site failed")) };
  const store = { close: async () => void events.push("store closed") };
  const response = await arrived;
  const shutdown = shutDown({ server, worker: { stop }, lastToClose: [failing, store] }, GRACE_MS);
  response.end("finished", () => events.push("answered"));
  expect(await (await answer).text()).toBe("finished");
  expect(events).toEqual(["answered"]);
  sent.resolve();
  await shutdown;
  expect(events).toEqual(["answered", "store closed"]);
});

test("a shutdown does not wait for idle connections", async () => {
  const { server, arrived, port } = await startServer();
  const first = fetch(`http://127.0.0.1:${port}/`);
  (await arrived).end("hello");
  await (await first).text();
  await shutDown({ server, worker, lastToClose: [] }, GRACE_MS);
  const refused = { cause: { code: "ECONNREFUSED" } };
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject(refused);
});

test("a stalled client is disconnected after the grace period", async () => {
  const { server, arrived, port } = await startServer();
  const stalled = connect(port, "127.0.0.1");
  stalled.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n");
  // The server may reset the connection.
  stalled.on("error", () => undefined);
  await arrived;
  await shutDown({ server, worker, lastToClose: [] }, 20);
  await expect.poll(() => stalled.closed).toBe(true);
});

const SIGNALS = ["SIGTERM", "SIGHUP"] as const;
test.each(SIGNALS)("a process that never closes ends 15 s after a %s [26]", async (signal) => {
  const program = `
  import { createServer } from "node:http";
  import { mock } from "node:test";
  import tty from "node:tty";
  tty.isatty = () => true;
  mock.timers.enable({ apis: ["setTimeout"] });
  const { stopOnSignals } = await import("#server/shutdown.ts");
  const never = () => new Promise(() => {});
  const server = createServer().listen(0, "127.0.0.1", () => console.log("up"));
  stopOnSignals({ server, worker: { stop: never }, lastToClose: [{ close: never }] }, { dev: false });
  process.once("${signal}", async () => {
    for (let seconds = 1; seconds <= 20; seconds++) {
      mock.timers.tick(1_000);
      await new Promise(setImmediate);
      console.log("after " + seconds + " s");
    }
  });
`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    env: { NODE_ENV: "test", LOG_LEVEL: "info" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const said = text(child.stdout);
  await once(child.stdout, "data");
  child.kill(signal);
  // A terminal that closes sends SIGHUP twice.
  if (signal === "SIGHUP") child.kill(signal);
  expect(await ended).toEqual([1, null]);
  expect(await said).toMatch(/after 14 s\n.*closing took over 15 seconds.*\n$/);
});

const A_SECOND = "1s";

/** Sends the signals to a running site. Returns the calls of `process.exit`, which a mock replaces. */
function sendSignals(signals: (NodeJS.Signals | typeof A_SECOND)[], isAtTerminal = true) {
  vi.spyOn(tty, "isatty").mockReturnValue(isAtTerminal);
  // The time limit of a real shutdown would end the process of later tests.
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  const names = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
  const before = names.map((name) => [name, process.listeners(name)] as const);
  onTestFinished(() => {
    for (const [name, listeners] of before) {
      process.removeAllListeners(name);
      for (const listener of listeners) process.on(name, listener);
    }
  });
  const exit = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
  const close = (done?: () => void) => done?.();
  const server = { close, closeIdleConnections: vi.fn(), closeAllConnections: vi.fn() };
  stopOnSignals({ server: server as never, worker, lastToClose: [] }, { dev: false });
  for (const signal of signals) {
    if (signal === A_SECOND) vi.advanceTimersByTime(1_000);
    else process.emit(signal, signal);
  }
  return exit.mock;
}

test.each([
  ["SIGTERM", 0],
  ["SIGINT", 0],
  ["SIGHUP SIGHUP", 0],
  ["SIGTERM SIGHUP", 0],
  ["SIGTERM SIGTERM", 0],
  ["SIGHUP 1s SIGTERM", 1],
  ["SIGTERM 1s SIGTERM", 1],
])("the signals %s end the process with the code %i", async (signals, code) => {
  const exit = sendSignals(signals.split(" ") as Parameters<typeof sendSignals>[0]);
  await expect.poll(() => exit.lastCall).toEqual([0]);
  // The mock of `process.exit` does not end the process, so more calls follow the first one.
  expect(exit.calls[0]).toEqual([code]);
});

test("a SIGHUP does not end a process that nohup has detached from its terminal", async () => {
  const exit = sendSignals(["SIGHUP", "SIGTERM"], false);
  await expect.poll(() => exit.calls).toEqual([[0]]);
});
