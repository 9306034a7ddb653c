"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { ApplicationFields } from "#components/application/application-fields.tsx";
import { Failure } from "#components/application/failure.tsx";
import {
  type ErrorMessages,
  focusFirstError,
  isValid,
  problemOf,
  problemsOf,
} from "#components/application/form-errors.ts";
import type { Place } from "#components/application/result.tsx";
import { Button } from "#components/ui/button.tsx";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { FIELD_NAMES, FORM_PATHS } from "#lib/application/fields.ts";
import { withWish } from "#lib/application/message-wishes.ts";
import { parseTicket } from "#lib/application/price-ticket.ts";
import type { FormRecord } from "#lib/browser/form-record.ts";
import { enterValue, fieldValue, formValues } from "#lib/browser/form-values.ts";
import { applicationForm } from "#lib/content/application-form.ts";
import { receipt } from "#lib/content/application-result.ts";

/** Classes of the bar with the dialog's buttons. */
const BAR =
  "grid shrink-0 grid-cols-[minmax(0,1fr)_minmax(0,2fr)] gap-2.5 border-asphalt-300 border-t px-5 py-3 md:flex md:justify-end md:px-8 md:py-4";

/**
 * The form of an application, in the dialog and on its page: the browser's checks, one submission at a time, the errors
 * at their fields. What a press has come to, its record knows.
 */
export function ApplicationForm({
  record,
  phone,
  notice,
  onClose,
}: Place & {
  record: FormRecord;
  /** Closes the dialog; missing outside of one. */
  onClose?: () => void;
}) {
  const { form: name, isBusy: busy, result, receipt: received } = record;
  const inDialog = name === "dialog";
  const [errors, setErrors] = useState<ErrorMessages>({});
  const form = useRef<HTMLFormElement>(null);
  const box = useRef<HTMLElement>(null);

  useEffect(() => {
    const element = form.current;
    if (!element) return;
    // With script the form shows the browser's checks itself; without it the browser does.
    element.noValidate = true;
    void record.restore(element).then((refusal) => {
      takeTicket(element);
      if (!refusal) return;
      setErrors(refusal.errors);
      if (!focusFirstError(element, refusal.errors)) element.querySelector("input")?.focus();
    });
  }, [record]);

  function onInput({ target, currentTarget: element }: FormEvent<HTMLFormElement>) {
    const changed = FIELD_NAMES.find((field) => field === Reflect.get(target, "name"));
    if (changed)
      setErrors((current) =>
        current[changed] ? { ...current, [changed]: problemOf(element, changed) } : current,
      );
    record.typed(formValues(element), isValid(element));
  }

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const element = event.currentTarget;
    let wrong = problemsOf(element);
    if (isValid(element)) {
      // Before anything is drawn: the page may end at any moment.
      const answer = record.press(formValues(element));
      // The fields are about to be disabled: the focus must not fall out of the form with them.
      element.querySelector<HTMLElement>("[type=submit]")?.focus({ preventScroll: true });
      const result = await answer;
      wrong = result.kind === "refused" ? result.refusal.errors : {};
    }
    flushSync(() => setErrors(wrong));
    // Of a press that has failed. Where fields are marked, the first of them gets the focus after this.
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: "nearest" });
    focusFirstError(element, wrong);
  }

  return (
    <form
      ref={form}
      onInput={onInput}
      onSubmit={onSubmit}
      method="post"
      action={FORM_PATHS[name]}
      aria-busy={busy}
      className={inDialog ? "flex min-h-0 flex-auto flex-col" : "grid gap-5"}
    >
      <div className={inDialog ? "sheet-body" : "contents"}>
        {inDialog && (
          <p className="text-asphalt-600 type-helper">
            <span className="text-error-600">*</span> {applicationForm.note.dialog}
          </p>
        )}
        <ApplicationFields form={name} errors={errors} disabled={busy} />
        {notice}
        {/* Sent while it was being changed: what stands here now is another application. */}
        {received && !busy && (
          <p role="status" className="font-strong text-asphalt-900">
            {receipt.sent} {receipt.number} {formatApplicationId(received.applicationId)}
          </p>
        )}
        {result && !received && <Failure {...{ record, result, phone }} ref={box} />}
      </div>
      <div className={inDialog ? BAR : "contents"}>
        {inDialog && (
          <Button variant="outline" onClick={onClose}>
            {/* What waits on this device goes out all the same. */}
            {record.record?.state === "waiting" ? applicationForm.close : applicationForm.cancel}
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

/** Fills in what the address asks for, and overwrites no choice of the visitor. */
function takeTicket(form: HTMLFormElement): void {
  const { region, carType, wish } = parseTicket(location.search);
  if (region && fieldValue(form, "region") === "") enterValue(form, "region", region);
  if (carType && fieldValue(form, "carType") !== "") return;
  if (carType) enterValue(form, "carType", carType);
  if (wish) enterValue(form, "message", withWish(fieldValue(form, "message"), wish.words));
}
