"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { ApplicationFields } from "#components/application/application-fields.tsx";
import type { ContactResult } from "#components/application/contact-result.tsx";
import { LastLine } from "#components/application/last-line.tsx";
import { type Submitted, useSubmission } from "#components/application/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import type { Correction } from "#lib/browser/correction.ts";
import { ENDPOINTS } from "#lib/browser/endpoints.ts";
import { applicationForm } from "#lib/content/application-form.ts";

/** The empty form, or the one that a refused application is corrected in. */
export function ContactForm({
  phone,
  notice,
  correction,
  Failure,
  loadResult,
  onSettled,
}: {
  phone: string;
  notice: ReactNode;
  correction: Correction | undefined;
  Failure: ContactResult["Failure"] | undefined;
  /** Loads the code that shows what became of the application, `Failure` too. */
  loadResult: () => Promise<unknown>;
  /** The application is received, or kept: the form has done its work. */
  onSettled: (submitted: Submitted) => void;
}) {
  const [failed, setFailed] = useState<Submitted>();
  const box = useRef<HTMLDivElement>(null);
  const form = useSubmission("contact", {
    correction,
    loadResult,
    onResult: (submitted) => {
      const settled = submitted.result.kind === "received" || submitted.result.kind === "kept";
      setFailed(settled ? undefined : submitted);
      if (settled) onSettled(submitted);
    },
  });

  useEffect(() => {
    if (failed?.result.kind === "unkept") box.current?.focus();
  }, [failed]);

  return (
    <form
      ref={form.ref}
      method="post"
      action={ENDPOINTS.contact}
      onSubmit={(event) => void form.onSubmit(event)}
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
        {failed &&
          !form.busy &&
          (Failure ? (
            <Failure ref={box} failed={failed} phone={phone} />
          ) : (
            <LastLine ref={box} phone={phone} values={failed.values} />
          ))}
        <Button type="submit" size="lg" busy={form.busy} className="w-full">
          {form.busy ? applicationForm.busy : applicationForm.submit.contact}
        </Button>
      </div>
    </form>
  );
}
