/** The outcome of a text message decides whether it is sent again, and what it costs under the caps. */
import { expect } from "vitest";
import { DAY, HOUR, MINUTE } from "#lib/application/durations.ts";
import { resendApplication } from "#lib/delivery/resend.ts";
import { MAX_TRIES } from "#lib/delivery/retry.ts";
import { changeMessage, listCharges } from "#lib/storage/queries/messages.ts";
import type { Acceptance } from "#lib/storage/stored-application.ts";
import { deliverWith } from "#testing/delivery/deliver-with.ts";
import { type DeliveryRig, test } from "#testing/delivery/rig.ts";
import { anApplication } from "#testing/storage/temporary-store.ts";

async function messagesOf(rig: DeliveryRig, stored: Acceptance) {
  if (!("applicationId" in stored)) throw new Error(stored.outcome);
  return (await rig.store.find(stored.applicationId))?.messages;
}

test("a text that no search finds no longer counts under the caps [65]", async ({ rig }) => {
  const caps = { hourly: 2, daily: 100 };
  rig.twilio.next({ status: 500 });
  await rig.restartWorker({ sms: rig.openSms() }, caps);
  const stored = await rig.deliverNew();
  await rig.advanceInSteps(31 * MINUTE, MINUTE);
  expect(rig.applicationsTexted()).toHaveLength(1);
  expect(await messagesOf(rig, stored)).toMatchObject([{ copies: 1, tries: 1 }]);
  rig.twilio.messagesBecome = { status: "undelivered", code: 30003 };
  await rig.advance(HOUR);
  await rig.deliverNew();
  await rig.advance(MINUTE);
  await rig.deliverNew();
  await rig.advance(MINUTE);
  expect(rig.applicationsTexted()).toHaveLength(2);
});

test("a search does not take an earlier text for the one that is resent", async ({ rig }) => {
  await rig.restartWorker({ sms: rig.openSms() });
  const stored = await rig.deliverNew();
  const applicationId = "applicationId" in stored ? stored.applicationId : "";
  rig.twilio.next({ status: 500 });
  await resendApplication(rig.store, applicationId, { again: true, now: rig.now });
  await rig.advanceInSteps(31 * MINUTE, MINUTE);
  expect(rig.applicationsTexted()).toEqual([applicationId, applicationId]);
});

test("the text about a forgotten person counts under the caps", async ({ rig }) => {
  await rig.restartWorker({ sms: rig.openSms() }, { hourly: 2, daily: 2 });
  await rig.deliverNew();
  await rig.store.forgetPhone(anApplication().phone);
  await rig.store.deleteExpired(rig.now - DAY);
  await rig.deliverNew();
  expect(rig.twilio.messages).toHaveLength(1);
});

test.for([
  ["accepts and then rejects", [1], "SM1"],
  ["rejects at once", [], undefined],
] as const)(
  "the charge of a text that Twilio %s is %j",
  async ([, segments, providerId], { rig }) => {
    const stored = await rig.apply();
    const fault = { error: "30002", advice: "", about: "channel" } as const;
    await deliverWith(rig.database, { sms: { outcome: "rejected", providerId, fault } }, rig.now);
    expect(await messagesOf(rig, stored)).toMatchObject([{ state: "refused", copies: 0 }]);
    const charges = await rig.store.change((trx) => listCharges(trx, rig.now));
    expect(charges.map((charge) => charge.segments)).toEqual(segments);
  },
);

test("a text whose status stays unknown for a day does not count as delivered", async ({ rig }) => {
  rig.twilio.misbehaviourOnGet = { status: 500 };
  await rig.restartWorker({ sms: rig.openSms() });
  await rig.deliverNew();
  await rig.advanceInSteps(DAY, HOUR);
  await rig.expectCounts({ done: 0, givenUp: 1 });
  expect(rig.applicationsTexted()).toHaveLength(1);
  const [found] = await rig.store.list({});
  const { messages } = (await rig.store.find(found?.applicationId ?? "")) ?? {};
  expect(messages).toMatchObject([
    { state: "ended", copies: 1, advice: expect.stringContaining("도착했는지 알 수 없습니다") },
  ]);
});

test("a text that Twilio neither confirms nor denies is given up in the end", async ({ rig }) => {
  rig.twilio.next({ status: 500 });
  rig.twilio.foreignEntries = [{ sid: "SM1", body: null, date_created: null }];
  await rig.restartWorker({ sms: rig.openSms() });
  const stored = await rig.deliverNew();
  await rig.advanceInSteps(HOUR);
  expect(rig.twilio.listRequests).toBeLessThan(10);
  await rig.expectCounts({ waiting: 1 });
  const [{ id } = { id: 0 }] = (await messagesOf(rig, stored)) ?? [];
  await rig.store.change((trx) => changeMessage(trx, id, { tries: MAX_TRIES - 1 }));
  await rig.advanceInSteps(HOUR, 30 * MINUTE);
  await rig.expectCounts({ givenUp: 1 });
  const told = /^전달하지 못한 운전연수 신청이 1건 있습니다\. .*설정해 주세요\. 서버에 보관되어/;
  expect(rig.twilio.messages.map(({ body }) => body)).toEqual([expect.stringMatching(told)]);
});

test("an unconfirmed text goes out by mail once SMS leaves the settings", async ({ rig }) => {
  rig.twilio.messagesBecome = { status: "queued" };
  await rig.restartWorker({ sms: rig.openSms() });
  await rig.deliverNew();
  await rig.advance(3 * HOUR);
  await rig.restartWorker({ mail: rig.openMail() });
  await rig.runUntilIdle();
  expect(rig.applicationMailSubjects()).toHaveLength(1);
  await rig.expectCounts({ done: 1 });
});

test("a corrected phone number gets the text that the wrong one did not confirm", async ({
  rig,
}) => {
  rig.twilio.messagesBecome = { status: "sent" };
  await rig.restartWorker({ sms: rig.openSms(["+821011110000"]) });
  await rig.deliverNew();
  await rig.restartWorker({ sms: rig.openSms(["+821022220000"]) });
  await rig.runUntilIdle();
  expect(rig.twilio.messages.map(({ to }) => to)).toEqual(["+821011110000", "+821022220000"]);
});

test("a mail says that only one of two phones has the text", async ({ rig }) => {
  const sms = rig.openSms(["+821011110000", "+8210222"]);
  await rig.restartWorker({ sms, mail: rig.openMail() });
  await rig.deliverNew();
  expect(rig.applicationsTexted()).toHaveLength(1);
  expect(rig.applicationMailSubjects()).toEqual([expect.stringMatching(/^\[문자 일부\] /)]);
});
