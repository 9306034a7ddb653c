"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { ApplicationFields } from "#components/application/application-fields.tsx";
import { ContactFailure, hasWrongFields } from "#components/application/submission-failure.tsx";
import { useApplicationForm } from "#components/application/use-application-form.ts";
import { Button } from "#components/ui/button.tsx";
import type { OutboxEntry } from "#lib/browser/outbox-entry.ts";
import { ENDPOINTS } from "#lib/browser/send.ts";
import type { Submitted } from "#lib/browser/submit.ts";
import { applicationForm } from "#lib/content/application-form.ts";

/** The empty form, or the one that a refused application is corrected in. */
export function ContactForm({
  phone,
  notice,
  correction,
  onBusy,
  onSettled,
}: {
  phone: string;
  notice: ReactNode;
  correction: OutboxEntry | undefined;
  onBusy: (busy: boolean) => void;
  /** The application is received, or kept: the form has done its work. */
  onSettled: (submitted: Submitted) => void;
}) {
  const [failed, setFailed] = useState<Submitted>();
  const box = useRef<HTMLDivElement>(null);
  const form = useApplicationForm("contact", {
    correction,
    onResult: (submitted) => {
      const settled = submitted.result.kind === "received" || submitted.result.kind === "kept";
      setFailed(settled ? undefined : submitted);
      if (settled) onSettled(submitted);
    },
  });

  useEffect(() => {
    // Where fields are marked, the first of them has the focus.
    if (failed && !hasWrongFields(failed)) box.current?.focus();
  }, [failed]);

  useEffect(() => onBusy(form.busy), [onBusy, form.busy]);

  return (
    <form
      ref={form.ref}
      method="post"
      action={ENDPOINTS.contact}
      onSubmit={form.onSubmit}
      onInput={form.onInput}
      aria-busy={form.busy}
    >
      <ApplicationFields
        form="contact"
        values={correction?.values}
        errors={form.errors}
        disabled={form.busy}
      />
      <div className="mt-6 grid gap-5">
        {notice}
        {failed && !form.busy && <ContactFailure ref={box} failed={failed} phone={phone} />}
        <Button type="submit" size="lg" busy={form.busy} className="w-full">
          {form.busy ? applicationForm.busy : applicationForm.submit}
        </Button>
      </div>
    </form>
  );
}
