/** The outcome of a text message decides whether it is sent again, and what it costs under the caps. */
import { expect } from "vitest";
import { DAY, HOUR, MINUTE } from "#lib/application/durations.ts";
import type { Acceptance } from "#lib/application/stored-application.ts";
import { GIVE_UP_DAYS } from "#lib/delivery/retry.ts";
import { findCharges } from "#lib/storage/queries/messages.ts";
import { type EngineWithPeers, test } from "#testing/delivery/engine-with-peers.ts";
import { runWorkerOnce } from "#testing/delivery/run-worker-once.ts";
import { anApplication } from "#testing/storage/temporary-store.ts";

async function messagesOf(engine: EngineWithPeers, stored: Acceptance) {
  if (!("applicationId" in stored)) throw new Error(stored.outcome);
  return (await engine.store.find(stored.applicationId))?.messages;
}

test("a text that was never sent frees its segments [65]", async ({ engine }) => {
  const caps = { hourly: 2, daily: 100 };
  engine.twilio.next({ status: 500 });
  await engine.startWorker({ sms: engine.openSms() }, caps);
  const stored = await engine.deliverNew();
  await engine.advanceInSteps(31 * MINUTE, MINUTE);
  expect(engine.applicationsTexted()).toHaveLength(1);
  expect(await messagesOf(engine, stored)).toMatchObject([{ copies: 1, tries: 1 }]);
  engine.twilio.becomes = { status: "undelivered", code: 30003 };
  await engine.advance(HOUR);
  await engine.deliverNew();
  await engine.advance(MINUTE);
  await engine.deliverNew();
  await engine.advance(MINUTE);
  expect(engine.applicationsTexted()).toHaveLength(2);
});

test("the text about a forgotten person counts under the caps", async ({ engine }) => {
  await engine.startWorker({ sms: engine.openSms() }, { hourly: 2, daily: 2 });
  await engine.deliverNew();
  await engine.store.forgetPhone(anApplication().phone);
  await engine.store.deleteExpired(engine.now - DAY);
  await engine.deliverNew();
  expect(engine.twilio.messages).toHaveLength(1);
});

test.for([
  ["accepts and then rejects", [1], "SM1"],
  ["rejects at once", [], undefined],
] as const)(
  "the charge of a text that Twilio %s is %j",
  async ([, segments, providerId], { engine }) => {
    const stored = await engine.apply();
    const fault = { error: "30002", advice: "", about: "channel" } as const;
    await runWorkerOnce(
      engine.database,
      { sms: { outcome: "rejected", providerId, fault } },
      engine.now,
    );
    expect(await messagesOf(engine, stored)).toMatchObject([{ state: "refused", copies: 0 }]);
    const charges = await engine.store.change((trx) => findCharges(trx, engine.now));
    expect(charges.map((charge) => charge.segments)).toEqual(segments);
  },
);

test("a text whose status stays unknown for a day does not count as delivered", async ({
  engine,
}) => {
  engine.twilio.misbehaviourOnGet = { status: 500 };
  await engine.startWorker({ sms: engine.openSms() });
  await engine.deliverNew();
  await engine.advanceInSteps(DAY, HOUR);
  await engine.expectCounts({ done: 0, givenUp: 1 });
  expect(engine.applicationsTexted()).toHaveLength(1);
  const [found] = await engine.store.list({});
  const { messages } = (await engine.store.find(found?.applicationId ?? "")) ?? {};
  expect(messages).toMatchObject([
    { state: "ended", copies: 1, advice: expect.stringContaining("도착했는지 알 수 없습니다") },
  ]);
});

test("a text that Twilio neither confirms nor denies is given up in the end", async ({
  engine,
}) => {
  engine.twilio.next({ status: 500 });
  engine.twilio.odd = [{ sid: "SM1", body: null, date_created: null }];
  await engine.startWorker({ sms: engine.openSms() });
  await engine.deliverNew();
  await engine.advanceInSteps(HOUR);
  expect(engine.twilio.listRequests).toBeLessThan(10);
  await engine.expectCounts({ waiting: 1 });
  await engine.advanceInSteps((GIVE_UP_DAYS + 1) * DAY, 30 * MINUTE);
  await engine.expectCounts({ givenUp: 1 });
  const told = /^전달하지 못한 운전연수 신청이 1건 있습니다\. .*설정해 주세요\. 서버에 보관되어/;
  expect(engine.twilio.messages.map(({ body }) => body)).toEqual([expect.stringMatching(told)]);
});
