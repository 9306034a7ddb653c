"use client";

import { useEffect, useRef, useState } from "react";
import { ApplicationFields } from "#components/application/application-fields.tsx";
import { FailureBox } from "#components/application/failure-box.tsx";
import { PersonalDataNotice } from "#components/application/personal-data-notice.tsx";
import { TextByHand } from "#components/application/text-by-hand.tsx";
import { receiptOf, useOutbox } from "#components/application/use-outbox.ts";
import { type Submitted, useSubmission } from "#components/application/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import type { Receipt } from "#lib/application/answer.ts";
import { summarise } from "#lib/application/summary.ts";
import { ENDPOINTS } from "#lib/browser/endpoints.ts";
import { applicationForm } from "#lib/content/application-form.ts";
import { failure } from "#lib/content/application-result.ts";
import { smsHref, telHref } from "#lib/content/links.ts";

/**
 * The dialog's form. After a failure the application lies in the outbox, held: nobody else sends it while
 * the visitor is in the dialog, so a retry with changes replaces it and never makes a second one. Once
 * the dialog is closed the hold ends, and the drain may send it; then the form has done its work and is
 * emptied (`onSentLater`).
 */
export function DialogForm({
  phone,
  retentionDays,
  open,
  onCancel,
  onReceived,
  onSentLater,
}: {
  phone: string;
  retentionDays: number;
  open: boolean;
  onCancel: () => void;
  onReceived: (receipt: Receipt) => void;
  onSentLater: () => void;
}) {
  const [failed, setFailed] = useState<Submitted>();
  const box = useRef<HTMLDivElement>(null);
  const { letGo, takeBack, ...form } = useSubmission("dialog", {
    onResult: (submitted) => {
      if (submitted.result.kind === "received") onReceived(submitted.result.receipt);
      else setFailed(submitted);
    },
  });

  // An attempt can also fail after the dialog was closed: `failed` then lets it go.
  useEffect(() => {
    if (open) takeBack();
    else if (failed) letGo();
  }, [open, failed, takeBack, letGo]);

  useEffect(() => {
    if (failed) box.current?.scrollIntoView({ block: "nearest" });
  }, [failed]);

  const sentLater = receiptOf(failed?.idempotencyKey, useOutbox()) !== undefined;
  useEffect(() => {
    if (sentLater && !open) onSentLater();
  }, [sentLater, open, onSentLater]);

  return (
    <form
      ref={form.ref}
      method="post"
      action={ENDPOINTS.dialog}
      onSubmit={(event) => void form.onSubmit(event)}
      onInput={form.onInput}
      aria-busy={form.busy}
      className="flex min-h-0 flex-1 flex-col"
    >
      <div className="grid min-h-0 flex-1 content-start gap-6 overflow-y-auto overscroll-contain px-5 py-5 md:px-8 md:py-6">
        <p className="text-asphalt-600 type-helper">
          <span className="text-error-600">*</span> {applicationForm.note.dialog}
        </p>
        <ApplicationFields form="dialog" errors={form.errors} disabled={form.busy} />
        <PersonalDataNotice retentionDays={retentionDays} />
        {failed && !form.busy && (
          <FailureBox
            ref={box}
            title={failure.dialog}
            links={[
              { label: failure.sms, href: smsHref(phone, summarise(failed.values)) },
              { label: failure.call, href: telHref(phone) },
            ]}
          >
            {failed.result.kind === "refused" && <p>{failed.result.errorText}</p>}
            <p>
              {failure.valuesKept} {failed.result.kind === "kept" && failure.sentLater}
            </p>
            <TextByHand phone={phone} summary={summarise(failed.values)} />
          </FailureBox>
        )}
      </div>
      <div className="grid shrink-0 grid-cols-[minmax(0,1fr)_minmax(0,2fr)] gap-2.5 border-asphalt-300 border-t px-5 py-3 md:flex md:justify-end md:px-8 md:py-4">
        <Button variant="outline" onClick={onCancel}>
          {applicationForm.cancel}
        </Button>
        <Button type="submit" busy={form.busy} className="md:min-w-48">
          {submitLabel(form.busy, failed !== undefined)}
        </Button>
      </div>
    </form>
  );
}

function submitLabel(busy: boolean, failed: boolean): string {
  if (busy) return applicationForm.busy;
  return failed ? applicationForm.again : applicationForm.submit.dialog;
}
