"use client";

import { useEffect, useRef, useState } from "react";
import { ApplicationFields } from "#components/application/application-fields.tsx";
import { DialogFailure } from "#components/application/dialog-failure.tsx";
import { PersonalDataNotice } from "#components/application/personal-data-notice.tsx";
import { useApplicationForm } from "#components/application/use-application-form.ts";
import { receiptOf, useOutbox } from "#components/notices/use-outbox.ts";
import { Button } from "#components/ui/button.tsx";
import type { Receipt } from "#lib/application/answer.ts";
import { ENDPOINTS } from "#lib/browser/send.ts";
import type { Submitted } from "#lib/browser/submit.ts";
import { applicationForm } from "#lib/content/application-form.ts";
import { cancelling } from "#lib/content/dialog-result.ts";

/**
 * The dialog's form. After a failure the application lies in the outbox, locked: nobody else sends it while
 * the visitor is in the dialog. Once the dialog is closed it may be sent, as it stands in the form then. After
 * that the form is emptied (`onDone`).
 */
export function DialogForm({
  phone,
  retentionDays,
  open,
  onClose,
  onReceived,
  onDone,
}: {
  phone: string;
  retentionDays: number;
  open: boolean;
  onClose: () => void;
  onReceived: (receipt: Receipt) => void;
  /** The form is to be empty from now on. */
  onDone: () => void;
}) {
  const [failed, setFailed] = useState<Submitted>();
  const [asksAgain, setAsksAgain] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const { leave, resume, ...form } = useApplicationForm("dialog", {
    onResult: (submitted) => {
      if (submitted.result.kind === "received") onReceived(submitted.result.receipt);
      else setFailed(submitted);
    },
  });

  // An attempt can also fail after the dialog was closed: `failed` then leaves it to the outbox.
  useEffect(() => {
    if (open) resume();
    else if (failed) leave();
    setAsksAgain(false);
  }, [open, failed, leave, resume]);

  useEffect(() => {
    if (failed) box.current?.scrollIntoView({ block: "nearest" });
  }, [failed]);

  const sentLater = receiptOf(failed?.idempotencyKey, useOutbox()) !== undefined;
  useEffect(() => {
    if (sentLater && !open) onDone();
  }, [sentLater, open, onDone]);

  function cancel() {
    if (failed?.result.kind === "kept" && !form.busy) setAsksAgain(true);
    else onClose();
  }

  return (
    <form
      ref={form.ref}
      method="post"
      action={ENDPOINTS.dialog}
      onSubmit={form.onSubmit}
      onInput={form.onInput}
      aria-busy={form.busy}
      className="flex min-h-0 flex-auto flex-col"
    >
      {/* Positioned, or WebKit scrolls the whole dialog to a focused radio button. With a basis of 0 it would have
          no height where the dialog is as high as its content. */}
      <div className="relative grid min-h-0 flex-auto content-start gap-6 overflow-y-auto overscroll-contain px-5 py-5 md:px-8 md:py-6">
        <p className="text-asphalt-600 type-helper">
          <span className="text-error-600">*</span> {applicationForm.note.dialog}
        </p>
        <ApplicationFields form="dialog" errors={form.errors} disabled={form.busy} />
        <PersonalDataNotice retentionDays={retentionDays} />
        {failed && !form.busy && <DialogFailure ref={box} failed={failed} phone={phone} />}
      </div>
      {asksAgain && !form.busy ? (
        <Cancelling
          onSend={onClose}
          onRemove={() => {
            form.discard();
            onClose();
            onDone();
          }}
        />
      ) : (
        <div className="grid shrink-0 grid-cols-[minmax(0,1fr)_minmax(0,2fr)] gap-2.5 border-asphalt-300 border-t px-5 py-3 md:flex md:justify-end md:px-8 md:py-4">
          <Button variant="outline" onClick={cancel}>
            {applicationForm.cancel}
          </Button>
          <Button type="submit" busy={form.busy} className="px-3 md:min-w-48">
            {form.busy ? applicationForm.busy : applicationForm.submit}
          </Button>
        </div>
      )}
    </form>
  );
}

/** What is to become of an application that was cancelled and lies on this device. */
function Cancelling({ onSend, onRemove }: { onSend: () => void; onRemove: () => void }) {
  const question = useRef<HTMLParagraphElement>(null);
  useEffect(() => question.current?.focus(), []);
  return (
    <div className="flex shrink-0 flex-wrap items-center justify-end gap-2.5 border-asphalt-300 border-t px-5 py-3 md:px-8 md:py-4">
      <p
        ref={question}
        tabIndex={-1}
        className="flex-auto basis-full font-strong text-asphalt-900 outline-none md:basis-auto"
      >
        {cancelling.ask}
      </p>
      <Button variant="outline" onClick={onRemove} className="flex-auto md:flex-none">
        {cancelling.remove}
      </Button>
      <Button onClick={onSend} className="flex-auto md:flex-none">
        {cancelling.send}
      </Button>
    </div>
  );
}
