import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { createHttpServer, listen } from "#server/http.ts";
import { drain } from "#server/shutdown.ts";

/** Longer than a test may take: what waits for its end fails. */
const GRACE_MS = 60_000;
const idleWorker = { stop: async () => {} };

/** A server whose requests a test answers itself, when it likes. */
async function serve() {
  const waiting: ServerResponse[] = [];
  const arrived = Promise.withResolvers<void>();
  const server = createHttpServer(
    async (_request, response) => {
      waiting.push(response);
      arrived.resolve();
    },
    { dev: false },
  );
  return { server, waiting, arrived, port: await listen(server, 0, "127.0.0.1") };
}

test("a request under way is answered, then the parts close in order", async () => {
  const { server, waiting, arrived, port } = await serve();
  const answer = fetch(`http://127.0.0.1:${port}/`);
  await arrived.promise;

  const closed: string[] = [];
  const part = (name: string) => ({ close: async () => void closed.push(name) });
  const drained = drain(
    { server, worker: idleWorker, closeLast: [part("site"), part("store")] },
    GRACE_MS,
  );
  expect(closed).toEqual([]);
  waiting[0]?.end("finished");
  expect(await (await answer).text()).toBe("finished");
  await drained;
  expect(closed).toEqual(["site", "store"]);
});

test("nothing new is accepted, and a connection that is only kept alive is closed", async () => {
  const { server, waiting, arrived, port } = await serve();
  const agent = new Agent({ keepAlive: true });
  const first = request({ port, host: "127.0.0.1", agent }).end();
  await arrived.promise;
  waiting[0]?.end("hello");
  const [response] = await once(first, "response");
  await text(response);

  await drain({ server, worker: idleWorker, closeLast: [] }, GRACE_MS);
  const late = connect(port, "127.0.0.1");
  const [error] = await once(late, "error");
  expect(error).toMatchObject({ code: "ECONNREFUSED" });
  agent.destroy();
});

test("a client that stalls is cut off when the grace is over", async () => {
  const { server, arrived, port } = await serve();
  const stalled = connect(port, "127.0.0.1");
  await once(stalled, "connect");
  stalled.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n");
  const hungUp = new Promise((resolve) => stalled.on("close", resolve));
  stalled.on("error", () => {
    // A reset is one way to be cut off.
  });
  await arrived.promise;
  await drain({ server, worker: idleWorker, closeLast: [] }, 20);
  await hungUp;
  expect(stalled.closed).toBe(true);
});

test("the send under way is waited for before the store closes", async () => {
  const { server } = await serve();
  const events: string[] = [];
  const sent = Promise.withResolvers<void>();
  const worker = {
    stop: async () => {
      await sent.promise;
      events.push("sent");
    },
  };
  const store = { close: async () => void events.push("store closed") };
  const drained = drain({ server, worker, closeLast: [store] }, GRACE_MS);
  sent.resolve();
  await drained;
  expect(events).toEqual(["sent", "store closed"]);
});

test("a part that fails to close does not keep the next from closing", async () => {
  const { server } = await serve();
  let storeClosed = false;
  const parts = {
    server,
    worker: { stop: () => Promise.reject(new Error("the worker failed")) },
    closeLast: [
      { close: () => Promise.reject(new Error("the site failed")) },
      {
        close: async () => {
          storeClosed = true;
        },
      },
    ],
  };
  await drain(parts, GRACE_MS);
  expect(storeClosed).toBe(true);
});

test("a process whose parts never close ends all the same after 15 s, and says that something did not", async () => {
  const program = `
    import { createServer } from "node:http";
    import { mock } from "node:test";
    mock.timers.enable({ apis: ["setTimeout"] });
    const { stopOnSignals } = await import("#server/shutdown.ts");
    const never = () => new Promise(() => {});
    const closeLast = [{ close: never }, { close: never }, { close: never }];
    const server = createServer().listen(0, "127.0.0.1", () => console.log("up"));
    stopOnSignals({ server, worker: { stop: never }, closeLast }, { dev: false });
    process.on("SIGTERM", async () => {
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
  child.kill("SIGTERM");
  expect(await ended).toEqual([1, null]);
  expect(await said).toMatch(/after 14 s\n.*stopped hard.*\n$/);
});
