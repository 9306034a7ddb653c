import { readdirSync } from "node:fs";
import type { Server } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test, vi } from "vitest";
import { formResultIn } from "#lib/intake/form-result.ts";
import { APPLICATION_ROUTES, receiveApplication } from "#lib/intake/receive.ts";
import { refusals } from "#lib/intake/responses.ts";
import { processGlobals } from "#lib/process-globals.ts";
import { createHttpServer, listen } from "#server/http.ts";
import { answerOwnRoutes } from "#server/own-routes.ts";
import { FIELDS } from "#testing/fixtures/request.ts";
import { temporaryStore } from "#testing/temporary-store.ts";

const PATH = "/api/mail/training-application";

const servers: Server[] = [];
afterEach(() => {
  vi.useRealTimers();
  delete processGlobals.store;
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A server that stores in a folder of its own, in front of a handler that says that it was asked. */
async function serve() {
  const temporary = temporaryStore();
  const { store } = temporary;
  const handler = answerOwnRoutes(
    async (_request, response) => void response.writeHead(418).end(),
    {
      [`POST ${PATH}`]: (request) =>
        receiveApplication(request, APPLICATION_ROUTES[PATH], { store, bodyTimeLimitMs: 300 }),
    },
  );
  const server = createHttpServer(handler, { dev: false });
  servers.push(server);
  return { temporary, port: await listen(server, 0, "127.0.0.1") };
}

const send = (port: number, body: string, path = PATH, method = "POST") =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { "content-type": "application/json", "idempotency-key": "one" },
    ...(method === "POST" && { body }),
  });

/** Everything that the server says to these bytes until it hangs up. */
async function talk(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(bytes);
  return text(socket);
}

test("the server takes what the route files take", () => {
  const files = readdirSync("app/api", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("training-application/route.ts"))
    .map((file) => `/api/${file.replace("/route.ts", "")}`);
  expect(Object.keys(APPLICATION_ROUTES).toSorted()).toEqual(files.toSorted());
});

test("health is one word and the time, at most a second old, to whoever asks", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const temporary = temporaryStore();
  await using _ = temporary;
  const probeWrite = vi.fn(temporary.store.probeWrite);
  processGlobals.store = { ...temporary.store, probeWrite };
  const server = createHttpServer(
    answerOwnRoutes(async (_request, response) => void response.writeHead(418).end()),
    { dev: false },
  );
  servers.push(server);
  const port = await listen(server, 0, "127.0.0.1");
  const ask = () => fetch(`http://127.0.0.1:${port}/api/health?x=1`);
  const answers = await Promise.all(Array.from({ length: 50 }, ask));
  for (const answer of answers) {
    // No worker runs here.
    expect(answer.status).toBe(503);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await answer.json()).toEqual({
      status: "degraded",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+\+09:00$/),
    });
  }
  expect(probeWrite).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_001);
  await (await ask()).arrayBuffer();
  expect(probeWrite).toHaveBeenCalledTimes(2);
});

test("an application is stored and answered, and on the same connection once more", async () => {
  const { temporary, port } = await serve();
  await using _ = temporary;
  const first = await send(port, JSON.stringify(FIELDS));
  expect(first.status).toBe(200);
  const { data } = await first.json();
  const again = await send(port, JSON.stringify(FIELDS), `${PATH}?utm_source=naver`);
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect((await again.json()).data).toEqual(data);
  expect(await temporary.store.list({})).toHaveLength(1);
});

test("other methods and other paths go on to the next handler", async () => {
  const { temporary, port } = await serve();
  await using _ = temporary;
  expect((await send(port, "", PATH, "GET")).status).toBe(418);
  expect((await send(port, "{}", "/api/mail")).status).toBe(418);
  expect((await send(port, "{}", `${PATH}/`)).status).toBe(418);
});

const HEAD = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;

test("a body without end is refused while it comes, and the connection closed", async () => {
  const { temporary, port } = await serve();
  await using _ = temporary;
  const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
  const answer = await talk(port, `${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunk}${chunk}`);
  expect(answer).toMatch(/^HTTP\/1\.1 413 .*connection: close/is);
});

test("a refusal reaches a sender that is still sending, as a browser is that sends a long form", async () => {
  const { temporary, port } = await serve();
  await using _ = temporary;
  const socket = connect(port, "127.0.0.1");
  const answer = text(socket);
  const body = "x".repeat(200_000);
  socket.write(`${HEAD}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n`);
  for (let sent = 0; sent < body.length; sent += 20_000) {
    await new Promise((resolve) => socket.write(body.slice(sent, sent + 20_000), resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await answer).toMatch(/^HTTP\/1\.1 413 .*"success":false/is);
});

test("a form that stalls, sent without JavaScript, is led in time to the page that says so", async () => {
  const { temporary, port } = await serve();
  await using _ = temporary;
  const head = HEAD.replace("application/json", "application/x-www-form-urlencoded");
  const browser = `${head}Accept: text/html,*/*;q=0.8\r\n`;
  const answer = await talk(port, `${browser}Content-Length: 100\r\n\r\nname=`);
  expect(answer).toMatch(/^HTTP\/1\.1 303 .*connection: close/is);
  expect(answer).toMatch(/^location: \/contact\/result#form-result\r$/im);
  expect(formResultIn(/^set-cookie: form-result=([^;]*)/im.exec(answer)?.[1])).toMatchObject({
    kind: "refused",
    form: "contact",
    message: refusals.tooSlow.message,
  });
  expect(await temporary.store.list({})).toEqual([]);
});

test("a sender that is gone in the middle of its body stores nothing and disturbs nobody", async () => {
  const { temporary, port } = await serve();
  await using _ = temporary;
  const socket = connect(port, "127.0.0.1");
  socket.write(`${HEAD}Content-Length: 2000\r\n\r\n${JSON.stringify(FIELDS)}`, () =>
    socket.resetAndDestroy(),
  );
  expect((await send(port, JSON.stringify(FIELDS))).status).toBe(200);
  expect(await temporary.store.list({})).toHaveLength(1);
});
