import { expect } from "vitest";
import { createRecorder } from "#lib/delivery/record.ts";
import { closeApplication, resendApplication } from "#lib/delivery/resend.ts";
import type { Answer, SearchAnswer } from "#lib/storage/outcomes.ts";
import { changeMessage } from "#lib/storage/queries/messages.ts";
import { deliverWith } from "#testing/delivery/deliver-with.ts";
import {
  aNewApplication,
  TEST_NOW,
  testWithStore as test,
} from "#testing/storage/temporary-store.ts";

const fault = { error: "no answer", advice: "", about: "channel" } as const;

test.for<[answer: Answer, state: string]>([
  [{ outcome: "not-sent", fault }, "ended"],
  [{ outcome: "rejected", fault }, "ended"],
  [{ outcome: "unknown", fault }, "ended"],
  [{ outcome: "delivered" }, "delivered"],
])(
  "a closed application is not sent again after the answer %j",
  async ([answer, state], { store, temporary }) => {
    const accepted = await store.accept(aNewApplication());
    const applicationId = "applicationId" in accepted ? accepted.applicationId : "";
    await deliverWith(temporary, { sms: { outcome: "not-sent", fault } });
    const [message] = (await store.find(applicationId))?.messages ?? [];
    if (!message) throw new Error("no message was planned");
    const sending = { state: "sending", copies: 1, begunAt: TEST_NOW } as const;
    await store.change((trx) => changeMessage(trx, message.id, sending));
    await closeApplication(store, applicationId, TEST_NOW);
    const { recordAnswer } = createRecorder({ channels: {}, now: store.now, random: Math.random });
    await store.change((trx) => recordAnswer(trx, message, answer));
    expect(await store.find(applicationId)).toMatchObject({
      state: "closed",
      messages: [{ state }],
    });
  },
);

const accepted: Answer = { outcome: "accepted", providerId: "SM1" };
const unknown: Answer = { outcome: "unknown", fault };
test.for<[before: Answer, answer: SearchAnswer]>([
  [accepted, { outcome: "delivered", providerId: "SM1" }],
  [accepted, { outcome: "rejected", providerId: "SM1", fault }],
  [accepted, unknown],
  [unknown, accepted],
  [unknown, { outcome: "absent" }],
])(
  "a resend after %j is not held up by the late answer %j",
  async ([before, answer], { store, temporary }) => {
    const stored = await store.accept(aNewApplication());
    const applicationId = "applicationId" in stored ? stored.applicationId : "";
    await deliverWith(temporary, { sms: before });
    const [asked] = (await store.find(applicationId))?.messages ?? [];
    if (!asked) throw new Error("no message was planned");
    // The provider is asked about the message, and a person resends the application before the answer.
    await resendApplication(store, applicationId, { again: true, now: TEST_NOW });
    const { recordAnswer } = createRecorder({ channels: {}, now: store.now, random: Math.random });
    await store.change((trx) => recordAnswer(trx, asked, answer));
    expect(await store.find(applicationId)).toMatchObject({
      state: "new",
      messages: [{ state: "waiting", nextAt: TEST_NOW, copies: 0, searches: 0 }],
    });
  },
);
