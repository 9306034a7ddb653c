/** State that a form shows, by the version that was submitted last and its record. */

import type { FormName } from "#lib/application/fields.ts";
import type { Receipt, RefusalDetails } from "#lib/application/response-body.ts";
import type { FormValues } from "#lib/browser/form-values.ts";
import type { DeviceRecord, FailureReason } from "#lib/browser/record.ts";

type FormStatus = "editing" | "sending" | "queued" | "not-queued" | "rejected" | "received";

/** State that a form, its panel or its toast shows. */
export interface FormState {
  status: FormStatus;
  /** The values of the last submission. */
  submitted: FormValues;
  queuedAt: number;
  /** The fields differ from the queued version, which is locked meanwhile. */
  isChanged: boolean;
  /** Receipt of the last submission. The visitor may have edited the form since into another application. */
  receipt: Receipt | undefined;
  refusal: RefusalDetails | undefined;
  reason: FailureReason | undefined;
  errorText: string | undefined;
  /** `show-result`: replace the form with its result. `reset`: empty it, because a notice shows the result. */
  whenDone: "show-result" | "reset" | undefined;
}

export interface Version {
  id: string;
  values: FormValues;
  at: number;
}

/** Why the last attempt failed. */
export interface FailedAttempt {
  isStored: boolean;
  reason?: FailureReason | undefined;
  errorText?: string | undefined;
}

interface Submission {
  form: FormName;
  version: Version | undefined;
  record: DeviceRecord | undefined;
  failure: FailedAttempt;
  isSending: boolean;
  isOpen: boolean;
  isChanged: boolean;
}

export function formState(submission: Submission): FormState {
  const { version, record, failure, isChanged } = submission;
  const status = statusOf(submission);
  return {
    status,
    submitted: version?.values ?? {},
    queuedAt: version?.at ?? 0,
    isChanged,
    receipt: record?.state === "received" ? record.receipt : undefined,
    refusal: record?.state === "rejected" ? record.refusal : undefined,
    reason: failure.reason,
    errorText: failure.errorText,
    whenDone: whenDone(status, submission),
  };
}

function statusOf({
  version,
  record,
  failure,
  isSending,
  isOpen,
  isChanged,
}: Submission): FormStatus {
  if (isSending) return "sending";
  if (!version) return "editing";
  if (!record) return failure.isStored ? "editing" : "not-queued";
  if (record.state === "expired") return "editing";
  // The server received the version before the edit: the form holds another application now.
  const isOther = record.state === "received" && !record.toldByForm && isChanged;
  return isOther && isOpen ? "editing" : record.state;
}

function whenDone(
  status: FormStatus,
  { form, version, record, isOpen }: Submission,
): FormState["whenDone"] {
  if (status === "received")
    return isOpen || (record?.state === "received" && record.toldByForm) ? "show-result" : "reset";
  if (status === "queued" && form === "contact") return "show-result";
  // A notice showed the removal or the expiry while the dialog was closed.
  const isGone = status === "editing" && version !== undefined && !isOpen;
  return isGone ? "reset" : undefined;
}
