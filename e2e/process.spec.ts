import { once } from "node:events";
import { mkdtempDisposable, symlink, writeFile } from "node:fs/promises";
import { type ClientRequest, request } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { eventually } from "#testing/browser/eventually.ts";
import { jsonBody } from "#testing/browser/form.ts";
import { expect, smsSettings, testWithSite as test } from "#testing/browser/test.ts";
import { TwilioPeer } from "#testing/peers/twilio-peer.ts";
import { JSON_HEADERS, postApplication } from "#testing/site/client.ts";
import { Site } from "#testing/site/site.ts";

/** Sends an application except for the last byte of its body, once the server is ready for the body. */
async function postWithoutLastByte(url: string, body: string): Promise<ClientRequest> {
  const length = { "content-length": Buffer.byteLength(body), expect: "100-continue" };
  const begun = request(`${url}/api/sms/training-application`, {
    method: "POST",
    headers: { ...JSON_HEADERS, ...length },
  });
  begun.flushHeaders();
  await once(begun, "continue");
  begun.write(body.slice(0, -1));
  return begun;
}

test("SIGTERM during an attempt neither loses nor doubles an application [26]", async () => {
  await using twilio = new TwilioPeer();
  await twilio.start();
  // The peer stores the first message and never answers.
  twilio.next({ hangs: true, stores: true });
  await using site = await Site.start(smsSettings(twilio));
  const texted = () => twilio.messages.map(({ body }) => body.split("\n")[1]);
  expect((await postApplication(site, "sms", jsonBody({ name: "보낸여주" }))).status).toBe(200);
  await eventually(() => twilio.requests).toBe(1);
  const stalled = await postWithoutLastByte(site.url, jsonBody({ name: "멈춘여주" }));
  stalled.on("error", () => undefined);
  const inFlight = await postWithoutLastByte(site.url, jsonBody({ name: "종료여주" }));

  const ended = site.end("SIGTERM");
  await eventually(() => site.log).toContain("stopping");
  inFlight.end("}");
  const [answer] = await once(inFlight, "response");
  expect(answer.statusCode).toBe(200);
  expect(await ended).toBe(0);
  expect(site.log).not.toContain("closing took over");

  expect(texted()).toEqual(["보낸여주"]);
  await site.startAgain();
  await eventually(texted).toEqual(["보낸여주", "종료여주"]);
});

test("the pages ignore .env.local", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "local-"));
  for (const name of [".next", "public", "lib", "next.config.ts", "node_modules", "package.json"])
    await symlink(resolve(name), join(folder.path, name));
  await writeFile(join(folder.path, ".env.local"), "INQUIRY_PHONE=010-7777-8888");
  await using site = await Site.start({}, folder.path);
  expect(await (await fetch(`${site.url}/privacy`)).text()).not.toContain("010-7777-8888");
});

test("a proxy set in the environment does not affect the site's own pages [101]", async () => {
  const proxy = { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: "http://127.0.0.1:9" };
  await using site = await Site.start(proxy);
  expect((await fetch(site.url)).headers.get("etag")).not.toBeNull();
  expect(site.log).not.toContain("rendering a page failed");
});
