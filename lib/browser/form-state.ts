/** Derives the state that a form shows from the values that were submitted last and their record. */

import type { FormName } from "#lib/application/fields.ts";
import { whenSentText } from "#lib/browser/background.ts";
import { type FormValues, sameValues } from "#lib/browser/form-values.ts";
import type { DeviceRecord, Queued, SendOutcome } from "#lib/browser/record.ts";

/** Everything about a form that its record does not say. */
export interface FormFacts {
  form: FormName;
  /** Current values of the fields. */
  values: FormValues;
  /** The last submission. Other values get another id, which is the idempotency key. */
  version?: Pick<Queued, "id" | "values" | "at"> | undefined;
  /** Why the last attempt failed. */
  failure: Partial<Extract<SendOutcome, { kind: "later" }>> & { isStored: boolean };
  isSending: boolean;
  isOpen: boolean;
}

/** State that a form, its panel or its toast shows. */
export type FormState = ReturnType<typeof formState>;

export function formState(facts: FormFacts, record: DeviceRecord | undefined) {
  const { form, values, version, failure } = facts;
  const isChanged = version !== undefined && !sameValues(values, version.values);
  const status = statusOf(facts, record, isChanged);
  return {
    form,
    status,
    /** The values of the last submission. */
    submitted: version?.values ?? {},
    queuedAt: version?.at ?? 0,
    /** The fields differ from the queued version, which is locked meanwhile. */
    isChanged,
    /** Receipt of the last submission. The visitor may have edited the form since into another application. */
    receipt: record?.state === "received" ? record.receipt : undefined,
    refusal: record?.state === "rejected" ? record.refusal : undefined,
    /** The promise for the queued version, by what the browser has promised. */
    promise: whenSentText(),
    reason: failure.reason,
    errorText: failure.errorText,
    whenDone: whenDone(status, facts, record),
  };
}

function statusOf(
  { version, failure, isSending, isOpen }: FormFacts,
  record: DeviceRecord | undefined,
  isChanged: boolean,
) {
  if (isSending) return "sending";
  if (!version) return "editing";
  if (!record) return failure.isStored ? "editing" : "not-queued";
  if (record.state === "expired") return "editing";
  // The server received the version before the edit: the form holds another application now.
  const isOther = record.state === "received" && !record.toldByForm && isChanged;
  return isOther && isOpen ? "editing" : record.state;
}

/** `show-result`: replace the form with its result. `reset`: empty it, because a notice shows the result. */
function whenDone(
  status: ReturnType<typeof statusOf>,
  { form, version, isOpen }: FormFacts,
  record: DeviceRecord | undefined,
) {
  if (status === "received")
    return isOpen || (record?.state === "received" && record.toldByForm) ? "show-result" : "reset";
  if (status === "queued" && form === "contact") return "show-result";
  // A notice showed the removal or the expiry while the dialog was closed.
  const isGone = status === "editing" && version !== undefined && !isOpen;
  return isGone ? "reset" : undefined;
}
