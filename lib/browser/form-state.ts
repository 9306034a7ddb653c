import type { FormName } from "#lib/application/fields.ts";
import { whenSentText } from "#lib/browser/background.ts";
import { areSameValues, type FormValues } from "#lib/browser/form-values.ts";
import type { DeviceRecord, Queued, SendOutcome } from "#lib/browser/record.ts";

export interface FormFacts {
  form: FormName;
  values: FormValues;
  /** The last submission, with its idempotency key as `id`. */
  version?: Pick<Queued, "id" | "values" | "at"> | undefined;
  /** The failure of the last request, if it failed. `isStored`: the application is in the outbox. */
  failure?: (Partial<Extract<SendOutcome, { kind: "later" }>> & { isStored: boolean }) | undefined;
  isSending: boolean;
  isOpen: boolean;
}

export type FormState = ReturnType<typeof formState>;

export function formState(facts: FormFacts, record: DeviceRecord | undefined) {
  const { form, values, version, failure } = facts;
  const isChanged = version !== undefined && !areSameValues(values, version.values);
  const status = deriveStatus(facts, record, isChanged);
  return {
    form,
    status,
    submitted: version?.values ?? {},
    queuedAt: version?.at ?? 0,
    isChanged,
    receipt: record?.state === "received" ? record.receipt : undefined,
    refusal: record?.state === "rejected" ? record.refusal : undefined,
    whenSent: whenSentText(),
    reason: failure?.reason,
    errorText: failure?.errorText,
    whenDone: deriveWhenDone(status, facts, record),
  };
}

function deriveStatus(
  { failure, isSending, isOpen }: FormFacts,
  record: DeviceRecord | undefined,
  isChanged: boolean,
) {
  if (isSending) return "sending";
  if (!record) return failure?.isStored === false ? "not-queued" : "editing";
  if (record.state === "expired") return "editing";
  // The submitted version arrived while the visitor was editing: the form now holds a new application.
  const isOther = record.state === "received" && !record.toldByForm && isChanged;
  return isOther && isOpen ? "editing" : record.state;
}

/** `show-result`: the result replaces the form. `reset`: the form is emptied, and a notice shows the result. */
function deriveWhenDone(
  status: ReturnType<typeof deriveStatus>,
  { form, version, isOpen }: FormFacts,
  record: DeviceRecord | undefined,
) {
  if (status === "received" && record?.state === status)
    return isOpen || record.toldByForm ? "show-result" : "reset";
  if (status === "queued" && form === "contact") return "show-result";
  // The application was removed or has expired while the dialog was closed.
  const isGone = status === "editing" && version !== undefined && !isOpen;
  return isGone ? "reset" : undefined;
}
