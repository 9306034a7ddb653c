import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { limitConnections, type Places } from "#server/connections.ts";

const LONGEST_MS = 60_000;

let server: Server;
let responses: ServerResponse[];
const sockets: Socket[] = [];

async function serve(places: Omit<Places, "longestMs">): Promise<void> {
  responses = [];
  server = createServer((request, response) => {
    if (request.url === "/slow") responses.push(response);
    else response.end(request.url === "/large" ? Buffer.alloc(20_000_000) : "hello");
  });
  limitConnections(server, { ...places, longestMs: LONGEST_MS });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
}

afterEach(() => {
  vi.useRealTimers();
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close().closeAllConnections();
});

/** A connection from one of the addresses of this machine, which has sent this. */
async function open(text: string, localAddress = "127.0.0.1"): Promise<Socket> {
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  socket.on("error", () => undefined);
  sockets.push(socket);
  await once(socket, "connect");
  socket.write(text);
  socket.resume();
  return socket;
}

const slow = (address?: string) => open("GET / HTTP/1.1\r\nHost: x\r\n", address);
const asks = (path: string, address?: string) =>
  open(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`, address);
const states = (connections: Socket[]) => connections.map((socket) => !socket.closed);

/** An answer is complete: this server sends nothing else. */
async function hello(socket: Socket): Promise<void> {
  let got = "";
  socket.on("data", (chunk) => {
    got += chunk;
  });
  await vi.waitFor(() => expect(got).toContain("hello"));
}

test("where all places are taken, the slowest makes room for the next", async () => {
  await serve({ total: 3, perAddress: 3 });
  const slowOnes = [await slow("127.0.0.2"), await slow("127.0.0.3"), await slow("127.0.0.4")];
  await hello(await asks("/", "127.0.0.5"));
  await vi.waitFor(() => expect(states(slowOnes)).toEqual([false, true, true]));
});

test("an address over its places makes room among its own", async () => {
  await serve({ total: 10, perAddress: 2 });
  const other = await slow("127.0.0.2");
  const own = [await slow("127.0.0.3"), await slow("127.0.0.3"), await slow("127.0.0.3")];
  await vi.waitFor(() => expect(states(own)).toEqual([false, true, true]));
  expect(other.closed).toBe(false);
  await hello(await asks("/", "127.0.0.3"));
});

test("a request under way is not cut off: where all are at work, the new connection goes", async () => {
  await serve({ total: 2, perAddress: 2 });
  const atWork = [await asks("/slow"), await asks("/slow")];
  await vi.waitFor(() => expect(responses).toHaveLength(2));
  const late = await slow();
  await vi.waitFor(() => expect(late.closed).toBe(true));
  for (const response of responses) response.end("hello");
  await Promise.all(atWork.map(hello));
});

test("a place is free again when its connection ends, and one that was served waits again", async () => {
  await serve({ total: 2, perAddress: 2 });
  const ended = await asks("/");
  await hello(ended);
  ended.destroy();
  await once(ended, "close");
  const idle = await asks("/");
  await hello(idle);
  const [second, third] = [await asks("/"), await asks("/")];
  await hello(third);
  await vi.waitFor(() => expect(idle.closed).toBe(true));
  expect(second.closed).toBe(false);
});

/** Asks for more than the system's buffers hold, and reads nothing of it. */
async function asksAndDoesNotRead(address?: string): Promise<Socket> {
  const socket = await asks("/large", address);
  await once(socket, "data");
  socket.pause();
  return socket;
}

test("where all places are taken, whoever does not read its answer makes room", async () => {
  await serve({ total: 3, perAddress: 3 });
  const first = await asksAndDoesNotRead("127.0.0.2");
  const others = [await asksAndDoesNotRead("127.0.0.3"), await asksAndDoesNotRead("127.0.0.4")];
  await hello(await asks("/", "127.0.0.5"));
  first.resume();
  await vi.waitFor(() => expect(states([first, ...others])).toEqual([false, true, true]));
});

test("an answer that is not read in time is given up, and a connection that only waits is not", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await serve({ total: 3, perAddress: 3 });
  const [idle, unread] = [await asks("/"), await asksAndDoesNotRead()];
  await vi.advanceTimersByTimeAsync(LONGEST_MS - 1_000);
  expect(states([idle, unread])).toEqual([true, true]);
  await vi.advanceTimersByTimeAsync(2_000);
  unread.resume();
  await vi.waitFor(() => expect(states([idle, unread])).toEqual([true, false]));
});

test("a client that sends many requests at once is hung up on", async () => {
  await serve({ total: 3, perAddress: 3 });
  const request = "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n";
  const [few, many] = [await open(request.repeat(10)), await open(request.repeat(11))];
  await vi.waitFor(() => expect(states([few, many])).toEqual([true, false]));
});
