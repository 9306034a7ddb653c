import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { limitConnections } from "#server/connection-limits.ts";

const MAX_DURATION_MS = 60_000;

let server: Server;
const sockets: Socket[] = [];

async function serve(total: number, perAddress: number): Promise<void> {
  server = createServer((request, response) => {
    if (request.url !== "/slow")
      response.end(request.url === "/large" ? Buffer.alloc(20_000_000) : "hello");
  });
  // 127.0.0.9 is the address of a proxy here, which its many clients share.
  const addressOf = (address = "") => (address === "127.0.0.9" ? undefined : address);
  limitConnections(server, { total, perAddress, maxExchangeMs: MAX_DURATION_MS, addressOf });
  await once(server.listen(0, "127.0.0.1"), "listening");
}

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close().closeAllConnections();
});

/** Connects from 127.0.0.`host` and sends the bytes of `text`. */
async function connectFrom(text: string, host: number): Promise<Socket> {
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const socket = connect({ port, host: "127.0.0.1", localAddress: `127.0.0.${host}` });
  sockets.push(socket.on("error", () => undefined));
  await once(socket, "connect");
  socket.write(text);
  return socket;
}

const requestOf = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const served = async (host: number) => {
  const socket = await connectFrom(requestOf("/"), host);
  await once(socket.resume(), "data");
  return socket;
};
/** Requests more than the system's buffers hold, and reads nothing. */
const unread = async (host: number) => {
  const socket = await connectFrom(requestOf("/large"), host);
  await once(socket, "data");
  return socket.pause();
};
const CLIENTS: Record<string, (host: number) => Promise<Socket>> = {
  served,
  unread,
  slow: (host: number) => connectFrom("GET / HTTP/1.1\r\n", host),
  async pipelined(host: number) {
    const socket = await connectFrom(requestOf("/") + requestOf("/slow"), host);
    await once(socket.resume(), "data");
    return socket;
  },
  async gone(host: number) {
    const socket = await served(host);
    await once(socket.destroy(), "close");
    return socket;
  },
  async atWork(host: number) {
    const arrived = once(server, "request");
    const socket = await connectFrom(requestOf("/slow"), host);
    await arrived;
    return socket;
  },
  ten: (host: number) => connectFrom(requestOf("/slow").repeat(10), host),
  eleven: (host: number) => connectFrom(requestOf("/slow").repeat(11), host),
};
/** Waits until exactly the sockets marked true are closed. A socket does not close before its bytes are read. */
async function untilClosed(clients: Socket[], closed: boolean[]): Promise<void> {
  for (const socket of clients) socket.resume();
  await expect.poll(() => clients.map((socket) => socket.closed)).toEqual(closed);
}

/** Clients connect one after the other, each from `127.0.0.<number>`. × marks a connection that the server closes. */
test.for<[what: string, total: number, perAddress: number, clients: string]>([
  ["close the slowest client", 3, 3, "slow 2 ×, slow 3, slow 4, served 5"],
  ["close the slowest client of an address", 10, 2, "slow 2, slow 3 ×, slow 3, served 3"],
  ["close no client of a shared address", 4, 2, "slow 9, slow 9, slow 9, served 9"],
  ["refuse a new client while others are served", 2, 2, "atWork 1, atWork 1, slow 1 ×"],
  ["keep a client whose second request is at work", 2, 2, "pipelined 1, atWork 1, slow 1 ×"],
  ["close a client that was served", 2, 2, "gone 1 ×, served 1 ×, served 1, served 1"],
  ["close a client that does not read", 3, 3, "unread 2 ×, unread 3, unread 4, served 5"],
  ["close a client with too many requests at once", 3, 3, "ten 1, eleven 1 ×"],
])("connection limits %s (%i in all, %i each) [58][72]", async ([, total, perAddress, clients]) => {
  await serve(total, perAddress);
  const opened: Socket[] = [];
  const isClosed: boolean[] = [];
  for (const client of clients.split(", ")) {
    const [does = "", host, mark] = client.split(" ");
    const socket = await CLIENTS[does]?.(Number(host));
    if (socket) opened.push(socket);
    isClosed.push(mark === "×");
  }
  await untilClosed(opened, isClosed);
});

test("a response that its client does not read in time is aborted [72]", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await serve(3, 3);
  const [idle, stuck] = [await served(1), await unread(1)];
  await vi.advanceTimersByTimeAsync(MAX_DURATION_MS - 1_000);
  expect([idle.closed, stuck.closed]).toEqual([false, false]);
  await vi.advanceTimersByTimeAsync(2_000);
  vi.useRealTimers();
  await untilClosed([idle, stuck], [false, true]);
});
