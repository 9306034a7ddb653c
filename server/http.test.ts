import { EventEmitter } from "node:events";
import { expect, test, vi } from "vitest";
import { createHttpServer, listen } from "#server/http.ts";
import type { RequestListener } from "#server/request-handler.ts";
import { SERVER_OPTIONS, sendBytes, serveHandler } from "#testing/site/http-server.ts";

const hello: RequestListener = async (_, response) => void response.end("hello");
const UPGRADE = "Connection: Upgrade, close\r\nUpgrade: websocket\r\n";

test("a request for an upgrade is answered without the upgrade", async () => {
  const bytes = `GET / HTTP/1.1\r\nHost: x\r\n${UPGRADE}\r\n`;
  expect(await sendBytes(await serveHandler(hello), bytes)).toMatch(/^HTTP\/1\.1 200 OK/);
});

test("an exception in one request does not affect the next request", async () => {
  const port = await serveHandler(async ({ url }, response) => {
    if (url === "/late") response.write("hel");
    if (url !== "/") throw new TypeError("a fault in the program");
    response.end("hello");
  });
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  const early = await get("/early");
  expect([early.status, early.headers.get("connection")]).toEqual([500, "close"]);
  await expect((await get("/late")).text()).rejects.toThrow("terminated");
  expect(await (await get("/")).text()).toBe("hello");
});

test("an address on which the site cannot listen is reported with the remedy", async () => {
  const port = await serveHandler(hello);
  const second = createHttpServer(hello, SERVER_OPTIONS);
  await expect(listen(second, port, "127.0.0.1")).rejects.toThrow(
    `Port ${port} is in use by another program. Stop it, or set PORT to another number.`,
  );
  await expect(listen(second, 0, "192.0.2.1")).rejects.toThrow("HOSTNAME 192.0.2.1 is not an");
});

test("the server has limits for slow headers, slow bodies and unread responses [27]", () => {
  expect(createHttpServer(hello, SERVER_OPTIONS)).toMatchObject({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 920_000,
    connectionsCheckingInterval: 2_000,
    timeout: 20_000,
  });
  expect(createHttpServer(hello, { ...SERVER_OPTIONS, dev: true }).timeout).toBe(0);
});

test.each([
  [0, "2001:db8::", 500],
  [0, "fd00::", 2_000],
  [1, "2001:db8::", 2_000],
])("the network $1/64 may open $2 connections (public proxies: $0)", (...terms) => {
  const [publicProxies, network, most] = terms;
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const server = createHttpServer(hello, { ...SERVER_OPTIONS, publicProxies });
  const [onConnection, onRequest] = ["connection", "request"].map((event) =>
    server.listeners(event).at(-1),
  );
  // A customer may use every address of an IPv6 network.
  const sockets = Array.from({ length: most + 1 }, (_, index) =>
    Object.assign(new EventEmitter(), { remoteAddress: `${network}${index}`, destroy: vi.fn() }),
  );
  const closed = () => sockets.filter(({ destroy }) => destroy.mock.calls.length > 0);
  for (const socket of sockets) {
    expect(closed()).toEqual([]);
    onConnection?.call(server, socket);
  }
  expect(closed()).toEqual([sockets[0]]);
  onRequest?.call(server, { socket: sockets[1] }, new EventEmitter());
  vi.advanceTimersByTime(119_999);
  expect(sockets[1]?.destroy).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(sockets[1]?.destroy).toHaveBeenCalledTimes(1);
});
