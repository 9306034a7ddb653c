import { expect } from "vitest";
import { HOUR } from "#lib/application/durations.ts";
import { closeApplication, resendApplication } from "#lib/delivery/resend.ts";
import type { Answer } from "#lib/storage/outcomes.ts";
import { addMessage, changeMessage } from "#lib/storage/queries/messages.ts";
import { changeNotice, findNotice } from "#lib/storage/queries/notices.ts";
import type { Store } from "#lib/storage/store.ts";
import type { MessageChange } from "#lib/storage/tables.ts";
import { deliverWith } from "#testing/delivery/deliver-with.ts";
import {
  aNewApplication,
  TEST_NOW,
  testWithStore as test,
} from "#testing/storage/temporary-store.ts";

const LATER = { again: false, now: TEST_NOW + HOUR };
const fault = { error: "no answer", advice: "", about: "channel" } as const;

async function acceptApplication(store: Store): Promise<string> {
  const stored = await store.accept(aNewApplication());
  return "applicationId" in stored ? stored.applicationId : "";
}

const SM1 = { providerId: "SM1" };
const DUE = "due";
test.for<[answer: Answer, again: boolean, resent: string, copies: number, resends: number]>([
  [{ outcome: "delivered", ...SM1 }, false, "done", 1, 0],
  [{ outcome: "delivered", ...SM1 }, true, DUE, 0, 1],
  [{ outcome: "accepted", ...SM1 }, false, "accepted", 1, 0],
  [{ outcome: "accepted", ...SM1 }, true, DUE, 0, 1],
  // The retries restart, because a resend means that a person has fixed the cause.
  [{ outcome: "rejected", fault }, false, DUE, 0, 0],
  [{ outcome: "rejected", fault }, true, DUE, 0, 0],
  // A search comes first, because the owner may have the message.
  [{ outcome: "unknown", fault }, false, "search-first", 1, 0],
])(
  "a resend after %j (--again: %s) returns %j",
  async ([answer, again, resent, copies, resends], { temporary, store }) => {
    const applicationId = await acceptApplication(store);
    await deliverWith(temporary, { sms: answer });
    expect(await resendApplication(store, applicationId, { ...LATER, again })).toBe(resent);
    const found = await store.find(applicationId);
    expect(found).toMatchObject({ resends, messages: [{ copies }] });
    if (resent !== DUE) return;
    expect(found?.messages).toMatchObject([{ tries: 0, state: "waiting" }]);
    expect(await store.countApplications()).toMatchObject({ waiting: 1, sent: 0 });
    await deliverWith(temporary, { sms: { outcome: "delivered", providerId: "SM2" } }, LATER.now);
    expect(await store.find(applicationId)).toMatchObject({
      state: "done",
      messages: [{ providerId: "SM2" }],
    });
  },
);

/** Changes the only message of the application as its worker would. */
async function changeOnlyMessage(store: Store, applicationId: string, change: MessageChange) {
  const [message] = (await store.find(applicationId))?.messages ?? [];
  await store.change((trx) => changeMessage(trx, message?.id ?? 0, change));
}

test("an application that is being sent is neither resent nor deleted", async ({
  store,
  temporary,
}) => {
  const applicationId = await acceptApplication(store);
  await deliverWith(temporary, { sms: { outcome: "not-sent", fault } });
  await changeOnlyMessage(store, applicationId, { state: "sending" });
  for (const again of [false, true]) {
    const resent = await resendApplication(store, applicationId, { again, now: TEST_NOW });
    expect(resent).toBe("under-way");
  }
  const phone = (await store.find(applicationId))?.application.phone ?? "";
  expect(await store.forgetPhone(phone)).toMatchObject({ applicationIds: [], underWay: 1 });
  expect(await store.find(applicationId)).toBeDefined();
});

test("a resend tries at once what failed beside a message in doubt", async ({
  store,
  temporary,
}) => {
  const applicationId = await acceptApplication(store);
  await deliverWith(temporary, { sms: { outcome: "unknown", fault } });
  const [{ noticeId } = { noticeId: 0 }] = (await store.find(applicationId))?.messages ?? [];
  const failed = { tries: 9, state: "waiting", nextAt: LATER.now + HOUR } as const;
  await store.change((trx) =>
    addMessage(trx, { noticeId, channel: "sms", recipient: "+821000000000", ...failed }),
  );
  expect(await resendApplication(store, applicationId, LATER)).toBe("search-first");
  expect((await store.find(applicationId))?.messages).toMatchObject([
    { state: "unsure", tries: 0 },
    { state: "waiting", tries: 0, nextAt: LATER.now },
  ]);
});

test("a resend restores all retries of an application that was given up", async ({
  store,
  temporary,
}) => {
  const applicationId = await acceptApplication(store);
  await deliverWith(temporary, { sms: { outcome: "not-sent", fault } });
  await changeOnlyMessage(store, applicationId, { state: "ended", tries: 246 });
  await store.change(async (trx) => {
    const found = await findNotice(trx, applicationId, "notices.applicationId");
    await changeNotice(trx, found?.notice.id ?? 0, { state: "given-up", finishedAt: TEST_NOW });
  });
  expect(await store.countApplications()).toMatchObject({ givenUp: 1 });
  expect(await resendApplication(store, applicationId, LATER)).toBe(DUE);
  expect(await store.find(applicationId)).toMatchObject({
    ...{ state: "new", finishedAt: undefined },
    messages: [{ state: "waiting", tries: 0, nextAt: LATER.now }],
  });
});

test.for<[state: string, answer: Answer | undefined, closed: string]>([
  ["delivered", { outcome: "delivered" }, "done"],
  ["accepted", { outcome: "accepted", ...SM1 }, "closed"],
  ["waiting", { outcome: "not-sent", fault }, "closed"],
  ["filed", undefined, "closed"],
])(
  "a %s application is finished once its applicant has been called",
  async ([, answer, closed], { store, temporary }) => {
    const applicationId = await acceptApplication(store);
    await deliverWith(temporary, answer ? { sms: answer } : {});
    const before = await store.find(applicationId);
    await closeApplication(store, applicationId, LATER.now);
    // The retention of what reached nobody begins with the call.
    const finishedAt = before?.state === "done" ? before.finishedAt : LATER.now;
    const called = { state: closed, calledAt: LATER.now, finishedAt };
    expect(await store.find(applicationId)).toMatchObject(called);
    const uncalled = await store.list({ isUncalled: true });
    expect(uncalled).toEqual([]);
    await deliverWith(temporary, { sms: { outcome: "delivered" } }, LATER.now + HOUR);
    expect(await store.find(applicationId)).toMatchObject(called);
    expect(await store.deleteExpired(LATER.now + 1)).toEqual([applicationId]);
  },
);

test("an application whose applicant was called while it was planned is not sent", async ({
  store,
  temporary,
}) => {
  const applicationId = await acceptApplication(store);
  const listNewNoticeIds: Store["listNewNoticeIds"] = async (limit) => {
    const ids = await store.listNewNoticeIds(limit);
    await closeApplication(store, applicationId, TEST_NOW);
    return ids;
  };
  const calling = { ...temporary, store: { ...store, listNewNoticeIds } };
  await deliverWith(calling, { sms: { outcome: "delivered" } });
  expect(await store.find(applicationId)).toMatchObject({ state: "closed", messages: [] });
});
