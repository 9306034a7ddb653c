import { expect, test } from "vitest";
import { createHttpServer, listen } from "#server/http.ts";
import type { RequestHandler } from "#server/request-handler.ts";
import { SERVER_OPTIONS, sendBytes, serve } from "#testing/site/http-server.ts";

const hello: RequestHandler = async (_, response) => void response.end("hello");
const UPGRADE = "Connection: Upgrade, close\r\nUpgrade: websocket\r\n";

test("a request for an upgrade is answered without the upgrade", async () => {
  const bytes = `GET / HTTP/1.1\r\nHost: x\r\n${UPGRADE}\r\n`;
  expect(await sendBytes(await serve(hello), bytes)).toMatch(/^HTTP\/1\.1 200 OK/);
});

test("a request that throws is answered with 500, and the next one is served", async () => {
  let calls = 0;
  const port = await serve(async (_, response) => {
    calls += 1;
    if (calls === 1) throw new TypeError("a fault in the program");
    response.end("hello");
  });
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(500);
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("hello");
});

test("a port that is in use is reported with the remedy", async () => {
  const port = await serve(hello);
  const second = createHttpServer(hello, SERVER_OPTIONS);
  await expect(listen(second, port, "127.0.0.1")).rejects.toThrow(
    `Port ${port} is in use by another program. Stop it, or set PORT to another number.`,
  );
});

test("slow headers, slow bodies and unread responses end at a time limit", () => {
  expect(createHttpServer(hello, SERVER_OPTIONS)).toMatchObject({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    timeout: 20_000,
  });
});
