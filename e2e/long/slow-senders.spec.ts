import { ROUTES, streamSlowly } from "#testing/client.ts";
import { eventually } from "#testing/eventually.ts";
import { expectNobodyWaits } from "#testing/slow-senders.ts";
import { expect, test } from "#testing/test.ts";

test("slow headers, slow bodies and a body without end cost neither memory nor a place in the queue, until the server hangs up", async () => {
  test.setTimeout(240_000);
  await expectNobodyWaits(14_000, async (sockets) => {
    // Their time is over: the server has hung up on every one of them.
    const open = () => sockets.filter((socket) => !socket.closed).length;
    await eventually(open, { timeout: 20_000 }).toBe(0);
  });
});

test("a body that does not end within 10 seconds is given up", async ({ site }) => {
  const before = Date.now();
  const slow = { chunk: " ", everyMs: 500, chunks: 60 };
  expect((await streamSlowly(site.url + ROUTES.mail, slow)).status).toBe(408);
  expect(Date.now() - before).toBeLessThan(15_000);
});
