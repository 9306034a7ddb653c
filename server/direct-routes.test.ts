import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, vi } from "vitest";
import { POST_PATHS } from "#lib/application/fields.ts";
import { parseFormResult } from "#lib/intake/form-result-cookie.ts";
import { receiveApplication } from "#lib/intake/receive.ts";
import { refusals } from "#lib/intake/responses.ts";
import { processGlobals } from "#lib/process-globals.ts";
import type { Store } from "#lib/storage/store.ts";
import { withDirectRoutes } from "#server/direct-routes.ts";
import type { RequestHandler } from "#server/request-handler.ts";
import { VALID_FIELDS } from "#testing/fixtures/request.ts";
import { sendBytes, serveHandler } from "#testing/site/http-server.ts";
import { testWithStore as test } from "#testing/storage/temporary-store.ts";

const PATH = "/api/mail/training-application";
const HEAD = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
const BODY = JSON.stringify(VALID_FIELDS);
/** Answers with a status that no route has. */
const next: RequestHandler = async (_, response) => void response.writeHead(418).end();

afterEach(() => {
  delete processGlobals.store;
});

const serveRoutes = (store: Store) =>
  serveHandler(
    withDirectRoutes(next, {
      [`POST ${PATH}`]: (request) =>
        receiveApplication(request, "contact", { store, bodyTimeLimitMs: 300 }),
    }),
  );

const send = (port: number, path = PATH) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": "one" },
    body: BODY,
  });

test("each address of a form has a route file in app/api", () => {
  const files = readdirSync("app/api", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("training-application/route.ts"))
    .map((file) => `/api/${file.replace("/route.ts", "")}`);
  expect(Object.values(POST_PATHS).toSorted()).toEqual(files.toSorted());
});

test("health and status check the store at most once a second", async ({ store }) => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const probeWrite = vi.fn(store.probeWrite);
  processGlobals.store = { ...store, probeWrite };
  const port = await serveHandler(withDirectRoutes(next));
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}/api/${path}?x=1`);
  // No worker runs in this test, so the status says that a person has to act.
  for (const [path, status] of [
    ["health", 200],
    ["status", 503],
  ] as const) {
    for (const answer of await Promise.all(Array.from({ length: 25 }, () => ask(path)))) {
      expect(answer.status).toBe(status);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(await answer.json()).toEqual({
        status: "degraded",
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+\+09:00$/),
      });
    }
  }
  expect(probeWrite).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_001);
  await (await ask("status")).arrayBuffer();
  expect(probeWrite).toHaveBeenCalledTimes(2);
});

test("a request for a path without a direct route goes on to the next handler", async () => {
  const port = await serveHandler(withDirectRoutes(next));
  for (const path of ["/api/mail", `${PATH}/`]) expect((await send(port, path)).status).toBe(418);
});

test.for([
  ["Content-Length: 200000", ""],
  ["Transfer-Encoding: chunked", "30d40\r\n"],
])("a refusal reaches a client that is still sending: %s", async ([header, chunk], { store }) => {
  const socket = connect(await serveRoutes(store), "127.0.0.1");
  const answer = text(socket);
  const body = "x".repeat(200_000);
  socket.write(`${HEAD}Connection: close\r\n${header}\r\n\r\n${chunk}`);
  for (let sent = 0; sent < body.length; sent += 20_000) {
    await new Promise((resolve) => socket.write(body.slice(sent, sent + 20_000), resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await answer).toMatch(/^HTTP\/1\.1 413 .*"success":false/is);
});

test("a form whose request stalls is redirected to a result page", async ({ store }) => {
  const head = HEAD.replace("application/json", "application/x-www-form-urlencoded");
  const answer = await sendBytes(
    await serveRoutes(store),
    `${head}Content-Length: 100\r\n\r\nname=`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 303 .*connection: close/is);
  expect(answer).toMatch(/^location: \/contact\/result#form-result\r$/im);
  expect(parseFormResult(/^set-cookie: form-result=([^;]*)/im.exec(answer)?.[1])).toMatchObject({
    kind: "refused",
    form: "contact",
    message: refusals.tooSlow.message,
  });
  expect(await store.list({})).toEqual([]);
});

test("a request that breaks off within its body stores nothing", async ({ store }) => {
  const port = await serveRoutes(store);
  const socket = connect(port, "127.0.0.1");
  socket.write(`${HEAD}Content-Length: 2000\r\n\r\n${BODY}`, () => socket.resetAndDestroy());
  expect((await send(port)).status).toBe(200);
  expect((await send(port, `${PATH}?utm_source=naver`)).headers.has("idempotency-replayed")).toBe(
    true,
  );
  expect(await store.list({})).toHaveLength(1);
});
