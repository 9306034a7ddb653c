import { expect } from "vitest";
import { createRecorder } from "#lib/delivery/record.ts";
import { closeApplication } from "#lib/delivery/resend.ts";
import type { Answer } from "#lib/storage/outcomes.ts";
import { changeMessage } from "#lib/storage/queries/messages.ts";
import { runWorkerOnce } from "#testing/delivery/run-worker-once.ts";
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
    await runWorkerOnce(temporary, { sms: { outcome: "not-sent", fault } });
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
