import { expect, it } from "vitest";
import { type FormFacts, type FormState, formState } from "#lib/browser/form-state.ts";
import { createQueued, type DeviceRecord } from "#lib/browser/record.ts";
import { whenSentTexts } from "#lib/content/application-result.ts";
import { filledIn, receipt } from "#testing/fixtures/browser-application.ts";

const version = { id: "a", values: filledIn, at: 5 };
const refusal = { errorText: "확인", errors: {} };
const queued = createQueued({ id: "a", form: "dialog", tab: "tab", values: filledIn }, 5);
const rejected: DeviceRecord = { ...queued, state: "rejected", refusal };
const received: DeviceRecord = {
  ...queued,
  ...{ state: "received", receipt, seen: true, toldByForm: true },
};
const receivedLater: DeviceRecord = { ...received, toldByForm: false };
const expired: DeviceRecord = { ...queued, state: "expired", seen: false };

type Submission = FormFacts & { record: DeviceRecord | undefined };

const plain: Submission = {
  form: "dialog",
  values: filledIn,
  version,
  record: undefined,
  isSending: false,
  isOpen: true,
};
const stateOf = ({ record, ...facts }: Submission) => formState(facts, record);
const closed = { isOpen: false };
const contact = { form: "contact" } as const;

type Row = [Partial<Submission>, FormState["status"], FormState["whenDone"]];
const ROWS: Row[] = [
  [{ version: undefined }, "editing", undefined],
  [{ version: undefined, ...closed }, "editing", undefined],
  [{ isSending: true, record: received }, "sending", undefined],
  [{ record: queued }, "queued", undefined],
  [{ record: queued, ...closed }, "queued", undefined],
  [{ record: queued, ...contact }, "queued", "show-result"],
  [{ record: rejected, ...contact }, "rejected", undefined],
  [{ record: received }, "received", "show-result"],
  [{ record: received, ...closed }, "received", "show-result"],
  [{ record: received, values: {} }, "received", "show-result"],
  [{ record: receivedLater }, "received", "show-result"],
  [{ record: receivedLater, ...closed }, "received", "reset"],
  [{ record: receivedLater, values: {} }, "editing", undefined],
  [{ record: receivedLater, values: {}, ...closed }, "received", "reset"],
  [{ record: expired }, "editing", undefined],
  [{ record: expired, ...closed }, "editing", "reset"],
  [{}, "editing", undefined],
  [closed, "editing", "reset"],
  [{ failure: { isStored: false } }, "not-queued", undefined],
  [{ failure: { isStored: false }, ...closed }, "not-queued", undefined],
];

it.each(ROWS)("record and edits give a form the state $1 (row %#)", (change, status, whenDone) => {
  expect(stateOf({ ...plain, ...change })).toMatchObject({ status, whenDone });
});

it("the form's state has the values, receipt and refusal of its record", () => {
  expect(stateOf({ ...plain, record: received })).toMatchObject({
    ...{ submitted: filledIn, queuedAt: 5, receipt, refusal: undefined },
  });
  expect(stateOf({ ...plain, record: rejected })).toMatchObject({ receipt: undefined, refusal });
  expect(stateOf({ ...plain, version: undefined })).toMatchObject({ submitted: {}, queuedAt: 0 });
});

it("the form's state has the failure of its last request", () => {
  const failure = { isStored: true, errorText: "HTTP 429", reason: "busy" } as const;
  const { form, errorText, reason, whenSent } = stateOf({ ...plain, record: queued, failure });
  expect([form, errorText, reason, whenSent]).toEqual([
    ...["dialog", "HTTP 429", "busy", whenSentTexts.visit],
  ]);
});
