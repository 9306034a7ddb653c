import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, vi } from "vitest";
import { config } from "#lib/config.ts";
import { parseFormResult } from "#lib/intake/form-result-cookie.ts";
import { createLimits } from "#lib/intake/limits.ts";
import { refusals } from "#lib/intake/responses.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { Store } from "#lib/storage/store.ts";
import { withClientAddress } from "#server/client-address.ts";
import { formRoute, healthRoute } from "#server/direct-routes.ts";
import type { RequestHandler } from "#server/request-handler.ts";
import { createRoutesHandler, type RequestRoute } from "#server/route-requests.ts";
import { VALID_FIELDS } from "#testing/fixtures/valid-fields.ts";
import { sendBytes, serveHandler } from "#testing/site/http-server.ts";
import { testWithStore as test } from "#testing/storage/temporary-store.ts";

const PATH = "/api/mail/training-application";
const HEAD = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
const BODY = JSON.stringify(VALID_FIELDS);
/** Answers with a status that no route has. */
const next: RequestHandler = async (_, response) => void response.writeHead(418).end();

const serveRoute = (...routes: RequestRoute[]) =>
  serveHandler(withClientAddress(createRoutesHandler(routes, next, {}), 0));

const serveForms = (store: Store, bodyTimeLimitMs = 10_000) => {
  const settings = config();
  const limits = createLimits(settings);
  return serveRoute(formRoute({ ...settings, store, limits, bodyTimeLimitMs }));
};

const healthDeps = (store: Store) => ({ store, config: config(), worker: undefined });

const send = (port: number, path = PATH) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": "one" },
    body: BODY,
  });

test("health and status probe a working store at most every ten seconds [58]", async ({
  store,
}) => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const probe = vi.fn(store.probeAcceptance);
  const deps = healthDeps({ ...store, probeAcceptance: probe });
  const port = await serveRoute(healthRoute(deps, (handler) => handler));
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
  const probesAfter = async (ms: number) => {
    vi.advanceTimersByTime(ms);
    await (await ask("status")).arrayBuffer();
    return probe.mock.calls.length;
  };
  expect([await probesAfter(9_999), await probesAfter(2)]).toEqual([1, 2]);
  // After a failed probe, the next probe follows after one second instead of ten.
  probe.mockRejectedValue(new StorageUnavailable("No room.", "full"));
  expect(await probesAfter(10_001)).toBe(3);
  expect([await probesAfter(999), await probesAfter(2)]).toEqual([3, 4]);
  expect((await ask("health")).status).toBe(503);
});

/** A limit that the visitor has exceeded. */
const exceededLimit = (): RequestHandler => async (_, response) =>
  void response.writeHead(429).end();

test("health and status are limited like rendered pages [58]", async ({ store }) => {
  const port = await serveRoute(healthRoute(healthDeps(store), exceededLimit));
  for (const path of ["/api/health", "/api/status"])
    expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(429);
});

test("a request for another path goes on to the next handler", async ({ store }) => {
  const port = await serveForms(store);
  for (const path of ["/api/mail", `${PATH}/`]) expect((await send(port, path)).status).toBe(418);
});

test("an application is stored whatever the spelling of its path", async ({ store }) => {
  const port = await serveForms(store);
  for (const path of [PATH, `${PATH}?utm_source=naver`, PATH.replace("-", "%2D")])
    expect((await send(port, path)).status).toBe(200);
  expect(await store.list({})).toHaveLength(1);
});

test("the path of a form answers 405 to any method but POST", async ({ store }) => {
  const port = await serveForms(store);
  for (const method of ["GET", "HEAD", "OPTIONS"]) {
    const answer = await fetch(`http://127.0.0.1:${port}${PATH}?a=1`, { method });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
    if (method !== "HEAD") expect(await answer.text()).toContain('<a href="/contact">');
  }
});

test.for([
  ["Content-Length: 200000", ""],
  ["Transfer-Encoding: chunked", "30d40\r\n"],
])("a refusal reaches a client that is still sending: %s", async ([header, chunk], { store }) => {
  const socket = connect(await serveForms(store), "127.0.0.1");
  const answer = text(socket);
  const body = "x".repeat(200_000);
  socket.write(`${HEAD}Connection: close\r\n${header}\r\n\r\n${chunk}`);
  for (let sent = 0; sent < body.length; sent += 20_000) {
    await new Promise((resolve) => socket.write(body.slice(sent, sent + 20_000), resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await answer).toMatch(/^HTTP\/1\.1 413 .*"success":false/is);
});

test("a form whose request stalls is redirected to a result page [27]", async ({ store }) => {
  const head = HEAD.replace("application/json", "application/x-www-form-urlencoded");
  const answer = await sendBytes(
    await serveForms(store, 300),
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
  const port = await serveForms(store);
  const socket = connect(port, "127.0.0.1");
  socket.write(`${HEAD}Content-Length: 2000\r\n\r\n${BODY}`, () => socket.resetAndDestroy());
  expect((await send(port)).status).toBe(200);
  expect((await send(port)).headers.has("idempotency-replayed")).toBe(true);
  expect(await store.list({})).toHaveLength(1);
});
