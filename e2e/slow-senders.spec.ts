import { connect, type Socket } from "node:net";
import { post } from "#testing/client.ts";
import { eventually } from "#testing/eventually.ts";
import { asJson } from "#testing/form.ts";
import { Site } from "#testing/site.ts";
import { expect, test } from "#testing/test.ts";

test("3,000 connections with slow headers reset no visitor", async () => {
  test.setTimeout(120_000);
  const site = await Site.start();
  const slow: Socket[] = [];
  try {
    const port = Number(new URL(site.url).port);
    for (let index = 0; index < 3_000; index++) {
      const localAddress = `127.0.1.${1 + (index % 10)}`;
      const socket = connect({ port, host: "127.0.0.1", localAddress });
      socket
        .on("error", () => undefined)
        .on("connect", () => socket.write("GET / HTTP/1.1\r\nHost: x\r\n"));
      slow.push(socket.resume());
    }
    await eventually(() => slow.filter((socket) => socket.connecting).length).toBe(0);
    const visitors = Array.from({ length: 16 }, async (_, index) => {
      const page = await fetch(`${site.url}/contact?visitor=${index}`);
      await page.arrayBuffer();
      return [page.status, (await post(site, "mail", asJson({ name: `사람${index}` }))).status];
    });
    expect(await Promise.all(visitors)).toEqual(Array(16).fill([200, 200]));
    expect(slow.filter((socket) => !socket.closed).length).toBeGreaterThan(1_000);
  } finally {
    for (const socket of slow) socket.destroy();
    await site.stop();
  }
});
