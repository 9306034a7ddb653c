import { once } from "node:events";
import type { Server } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { createHttpServer, listen } from "#server/http.ts";
import type { RequestHandler } from "#server/request-handler.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function serve(handler: RequestHandler): Promise<number> {
  const server = createHttpServer(handler, { dev: false });
  servers.push(server);
  return listen(server, 0, "127.0.0.1");
}

/** Everything that the server says to these bytes until it hangs up. */
async function talk(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(bytes);
  return text(socket);
}

const hello: RequestHandler = async (_request, response) => {
  response.end("hello");
};

test("what is not HTTP is told so and hung up on", async () => {
  const answer = await talk(await serve(hello), "not http at all\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n\r\n$/);
});

test("headers that are too large are told so", async () => {
  const port = await serve(hello);
  const answer = await talk(port, `GET / HTTP/1.1\r\nHost: x\r\nA: ${"a".repeat(20_000)}\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 431 /);
});

test("a request that throws is answered with 500, and the next one is served", async () => {
  let calls = 0;
  const port = await serve(async (_request, response) => {
    calls += 1;
    if (calls === 1) throw new TypeError("a fault in the program");
    response.end("hello");
  });
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(500);
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("hello");
});

test("a client that resets its connection disturbs nobody", async () => {
  const port = await serve(hello);
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Le");
  socket.resetAndDestroy();
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
});

test("an upgrade that nobody offers is answered as a plain request", async () => {
  const answer = await talk(
    await serve(hello),
    "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n",
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});

test("a port that is taken is said in a sentence with what to do", async () => {
  const port = await serve(hello);
  const second = createHttpServer(hello, { dev: false });
  await expect(listen(second, port, "127.0.0.1")).rejects.toThrow(
    `Port ${port} is in use by another program. Stop it, or set PORT to another number.`,
  );
});

test("slow headers, slow requests and answers that nobody reads have an end", () => {
  const server = createHttpServer(hello, { dev: false });
  expect(server).toMatchObject({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    timeout: 20_000,
  });
});
