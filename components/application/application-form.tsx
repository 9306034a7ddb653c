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
import { useStored } from "#components/notices/use-stored.ts";
import { Button } from "#components/ui/button.tsx";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { FIELD_NAMES, type FormName } from "#lib/application/fields.ts";
import { ticketIn } from "#lib/application/ticket.ts";
import { withWish } from "#lib/application/wishes.ts";
import { FormRecord, type Submitted } from "#lib/browser/form-record.ts";
import { enterValue, fieldValue, formValues } from "#lib/browser/form-values.ts";
import type { Refused } from "#lib/browser/record.ts";
import { ENDPOINTS } from "#lib/browser/send.ts";
import { applicationForm } from "#lib/content/application-form.ts";
import { receipt } from "#lib/content/application-result.ts";

/** Of the dialog's buttons. */
const BAR =
  "grid shrink-0 grid-cols-[minmax(0,1fr)_minmax(0,2fr)] gap-2.5 border-asphalt-300 border-t px-5 py-3 md:flex md:justify-end md:px-8 md:py-4";

/**
 * The form of an application, in the dialog and on its page: the browser's checks, one submission at a time, the errors
 * at their fields. On the page it has done its work when the application is
 * received or kept. In the dialog it stays until it is received, whoever sends it.
 */
export function ApplicationForm({
  form: name,
  phone,
  notice,
  correction,
  isOpen = true,
  onSettled,
  onClose,
}: Place & {
  form: FormName;
  correction?: Refused | undefined;
  /** The dialog is. */
  isOpen?: boolean;
  /** The form is to be empty from now on. Without `submitted` the visitor has deleted it. */
  onSettled: (record: FormRecord, submitted?: Submitted) => void;
  /** Of the dialog. */
  onClose?: () => void;
}) {
  const inDialog = name === "dialog";
  const [record] = useState(() => new FormRecord(name, correction));
  const [errors, setErrors] = useState<ErrorMessages>(correction?.refusal.errors ?? {});
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<Submitted>();
  const form = useRef<HTMLFormElement>(null);
  const box = useRef<HTMLElement>(null);
  const own = useStored(() => record.record);
  const isReceived = own?.state === "received";

  useEffect(() => {
    const element = form.current;
    if (!element) return;
    // With script the form shows the browser's checks itself; without it the browser does.
    element.noValidate = true;
    if (!correction) void record.restore(element).then(() => takeTicket(element));
    else if (!focusFirstError(element, correction.refusal.errors))
      element.querySelector("input")?.focus();
    const leave = () => record.leave();
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pagehide", leave);
      leave();
    };
  }, [correction, record]);

  useEffect(() => {
    if (!isOpen) record.leave();
    // While it is sent, its fields are disabled and have no values.
    else if (form.current && !busy) record.reopen(formValues(form.current), isValid(form.current));
  }, [isOpen, busy, record]);

  const wasKept = failed?.result.kind === "kept" && !busy;
  useEffect(() => {
    if (!wasKept || record.isHolding) return;
    // Sent meanwhile; or, seen from outside the dialog, deleted or refused.
    if (isReceived || (own?.state !== "waiting" && !isOpen)) onSettled(record);
  }, [own, isReceived, wasKept, isOpen, record, onSettled]);

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
      const values = formValues(element);
      // Before anything is drawn: the page may end at any moment.
      const answer = record.press(values);
      // The fields are about to be disabled: the focus must not fall out of the form with them.
      element.querySelector<HTMLElement>("[type=submit]")?.focus({ preventScroll: true });
      setBusy(true);
      const result = await answer;
      const isSettled = result.kind === "received" || (result.kind === "kept" && !inDialog);
      flushSync(() => {
        setBusy(false);
        setFailed(isSettled ? undefined : { result, values });
        if (isSettled) onSettled(record, { result, values });
      });
      // Where fields are marked, the first of them gets the focus after this.
      box.current?.focus({ preventScroll: true });
      box.current?.scrollIntoView({ block: "nearest" });
      wrong = result.kind === "refused" ? result.refusal.errors : {};
    }
    flushSync(() => setErrors(wrong));
    focusFirstError(element, wrong);
  }

  return (
    <form
      ref={form}
      onInput={onInput}
      onSubmit={onSubmit}
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

/** Fills in what a price ticket's address asks for, unless the visitor has chosen a car before. */
function takeTicket(form: HTMLFormElement): void {
  const ticket = ticketIn(location.search);
  if (!ticket || fieldValue(form, "carType") !== "") return;
  enterValue(form, "carType", ticket.carType);
  if (ticket.wish)
    enterValue(form, "message", withWish(fieldValue(form, "message"), ticket.wish.words));
}
