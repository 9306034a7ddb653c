"use client";

import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { ApplicationFields } from "#components/application/application-fields.tsx";
import { Failure } from "#components/application/failure.tsx";
import { isValid } from "#components/application/form-errors.ts";
import type { Place } from "#components/application/result.tsx";
import {
  type Submitted,
  useApplicationForm,
} from "#components/application/use-application-form.ts";
import { Button } from "#components/ui/button.tsx";
import { formatApplicationId } from "#lib/application/application-id.ts";
import type { FormName } from "#lib/application/fields.ts";
import type { FormRecord } from "#lib/browser/form-record.ts";
import { formValues } from "#lib/browser/form-values.ts";
import type { Refused } from "#lib/browser/record.ts";
import { ENDPOINTS } from "#lib/browser/send.ts";
import { subscribe } from "#lib/browser/store.ts";
import { applicationForm } from "#lib/content/application-form.ts";
import { receipt } from "#lib/content/application-result.ts";

/** Of the dialog's buttons. */
const BAR =
  "grid shrink-0 grid-cols-[minmax(0,1fr)_minmax(0,2fr)] gap-2.5 border-asphalt-300 border-t px-5 py-3 md:flex md:justify-end md:px-8 md:py-4";

/**
 * The form of an application, in the dialog and on its page. On the page it has done its work when the application is
 * received or kept. In the dialog it stays until it is received, whoever sends it.
 */
export function ApplicationForm({
  form: name,
  phone,
  notice,
  correction,
  isOpen = true,
  onReady,
  onSettled,
  onClose,
}: Place & {
  form: FormName;
  correction?: Refused | undefined;
  /** The dialog is. */
  isOpen?: boolean;
  onReady?: (form: HTMLFormElement) => void;
  /** The form is to be empty from now on. Without `submitted` the visitor has deleted it. */
  onSettled: (record: FormRecord, submitted?: Submitted) => void;
  /** Of the dialog. */
  onClose?: () => void;
}) {
  const inDialog = name === "dialog";
  const [failed, setFailed] = useState<Submitted>();
  const box = useRef<HTMLElement>(null);
  const { ref, record, busy, errors, ...handlers } = useApplicationForm(
    name,
    correction,
    onReady,
    (submitted) => {
      const { kind } = submitted.result;
      const isSettled = kind === "received" || (kind === "kept" && !inDialog);
      setFailed(isSettled ? undefined : submitted);
      if (isSettled) onSettled(record, submitted);
    },
  );
  const own = useSyncExternalStore(
    subscribe,
    () => record.record,
    () => undefined,
  );
  const isReceived = own?.state === "received";

  useEffect(() => {
    if (!isOpen) record.leave();
    // While it is sent, its fields are disabled and have no values.
    else if (ref.current && !busy) record.reopen(formValues(ref.current), isValid(ref.current));
  }, [isOpen, busy, record, ref]);

  useEffect(() => {
    if (!failed) return;
    // Where fields are marked, the first of them gets the focus after this.
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: "nearest" });
  }, [failed]);

  const wasKept = failed?.result.kind === "kept" && !busy;
  useEffect(() => {
    if (!wasKept || record.isHolding) return;
    // Sent meanwhile; or, seen from outside the dialog, deleted or refused.
    if (isReceived || (own?.state !== "waiting" && !isOpen)) onSettled(record);
  }, [own, isReceived, wasKept, isOpen, record, onSettled]);

  return (
    <form
      {...handlers}
      ref={ref}
      method="post"
      action={ENDPOINTS[name]}
      aria-busy={busy}
      className={inDialog ? "flex min-h-0 flex-auto flex-col" : "grid gap-5"}
    >
      <div className={inDialog ? "sheet-body" : "contents"}>
        {inDialog && (
          <p className="text-asphalt-600 type-helper">
            <span className="text-error-600">*</span> {applicationForm.note.dialog}
          </p>
        )}
        <ApplicationFields
          form={name}
          values={correction?.values}
          errors={errors}
          disabled={busy}
        />
        {notice}
        {/* Sent while it was being changed: what stands here now is another application. */}
        {isReceived && !busy && (
          <p role="status" className="font-strong text-asphalt-900">
            {receipt.sent} {receipt.number} {formatApplicationId(own.receipt.applicationId)}
          </p>
        )}
        {failed && !busy && !isReceived && (
          <Failure form={name} failed={failed} phone={phone} ref={box} />
        )}
      </div>
      <div className={inDialog ? BAR : "contents"}>
        {inDialog && (
          <Button variant="outline" onClick={onClose}>
            {/* What waits on this device goes out all the same. */}
            {own?.state === "waiting" ? applicationForm.close : applicationForm.cancel}
          </Button>
        )}
        <Button
          type="submit"
          size={inDialog ? "md" : "lg"}
          busy={busy}
          className={inDialog ? "px-3 md:min-w-48" : "w-full"}
        >
          {busy ? applicationForm.busy : applicationForm.submit}
        </Button>
      </div>
    </form>
  );
}
