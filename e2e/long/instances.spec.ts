import { setTimeout as pause } from "node:timers/promises";
import { followedForm } from "#testing/client.ts";
import { eventually } from "#testing/eventually.ts";
import { PostgresServer } from "#testing/peers/postgres.ts";
import { expect, test } from "#testing/test.ts";
import { applyUntilReceived, TwoServers } from "#testing/two-servers.ts";

let postgres: PostgresServer;
let servers: TwoServers;

// One pair of servers for all of these tests, one after the other.
test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
  test.setTimeout(120_000);
  postgres = await PostgresServer.start();
  servers = await TwoServers.start(postgres);
});
test.afterAll(async () => {
  await servers.stop();
  await postgres.stop();
});

const STORED = "select name from applications where name like '두서버%'";
/** What may still be sent. */
const OPEN = "select id from deliveries where state not in ('delivered', 'sent')";

test("the answer to a form without JavaScript is shown by the server that the redirect leads to", async () => {
  const answer = await fetch(`${servers.urlOf(0)}/api/mail/training-application`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ name: "다른서버", age: "7" }).toString(),
    redirect: "manual",
  });
  expect(answer.status).toBe(303);
  const page = await followedForm(answer, servers.urlOf(1));
  expect(page).toContain("다른서버");
});

test("what a server holds that stands still past its lease goes out once by the other, and its own late note is not taken", async () => {
  test.setTimeout(180_000);
  const [stalled, other] = servers.sites;
  // Only one of them runs at a time, so that it is known who holds what.
  other.signal("SIGSTOP");
  const numbers: string[] = [];
  // Twilio answers neither message; it has the first one.
  for (const [index, misbehaviour] of [{ hangs: true, stores: true }, { hangs: true }].entries()) {
    servers.twilio.next(misbehaviour);
    numbers.push(
      await applyUntilReceived(stalled.url, `멈춘서버${index}`, crypto.randomUUID(), "sms"),
    );
    await eventually(() => servers.twilio.requests).toBe(index + 1);
  }
  stalled.signal("SIGSTOP");
  // What two minutes of standing still come to.
  await servers.ask("update deliveries set lease_until = 0 where state = 'leased'");
  other.signal("SIGCONT");
  // Wakes it; alone it would look after half a minute at the latest.
  numbers.push(await applyUntilReceived(other.url, "깨운서버", crypto.randomUUID(), "mail"));
  const deliveries = () =>
    servers.ask("select application_id, state, fence, attempts from deliveries order by id");
  await eventually(async () => JSON.stringify(await deliveries()).match(/"delivered"/g), {
    timeout: 60_000,
  }).toHaveLength(3);
  const settled = await deliveries();
  expect(numbers.map((number) => servers.messagesOf(number))).toEqual([1, 1, 1]);

  stalled.signal("SIGCONT");
  await eventually(() => stalled.log.match(/another worker has taken this delivery over/g), {
    timeout: 30_000,
  }).toHaveLength(2);
  // It goes on as if nothing had been, and has then had its turn at what it should not send. The other cannot help.
  other.signal("SIGSTOP");
  numbers.push(await applyUntilReceived(stalled.url, "이어서", crypto.randomUUID(), "sms"));
  await eventually(() => servers.messagesOf(numbers[3] ?? "")).toBe(1);
  expect((await deliveries()).slice(0, 3)).toEqual(settled);
  expect(numbers.map((number) => servers.messagesOf(number))).toEqual([1, 1, 1, 1]);
  other.signal("SIGCONT");
});

test("each application under load is stored once and reaches the owner once", async () => {
  test.setTimeout(180_000);
  const numbers = await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      await pause(index * 20);
      const route = index % 2 === 0 ? "sms" : "mail";
      // Both servers get it, in the same moment: a browser that tried twice behind a balancer.
      const key = crypto.randomUUID();
      const [one, other] = await Promise.all(
        [0, 1].map((server) =>
          applyUntilReceived(servers.urlOf(server), `두서버${index}`, key, route),
        ),
      );
      expect(other).toBe(one);
      return one ?? "";
    }),
  );
  expect(new Set(numbers).size).toBe(60);
  expect(await servers.ask(STORED)).toHaveLength(60);
  await eventually(() => numbers.filter((number) => servers.messagesOf(number) === 0).length, {
    timeout: 120_000,
  }).toBe(0);
  // Nothing is left that anybody could lease and send once more.
  await eventually(() => servers.ask(OPEN), { timeout: 60_000 }).toEqual([]);
  expect(
    numbers.map((number) => servers.messagesOf(number)).filter((count) => count !== 1),
  ).toEqual([]);
});
