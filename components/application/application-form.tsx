"use client";

import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { ApplicationFields } from "#components/application/application-fields.tsx";
import { SubmissionFailure } from "#components/application/submission-failure.tsx";
import { useFormState } from "#components/application/use-form-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { POST_PATHS } from "#lib/application/fields.ts";
import { withWish } from "#lib/application/message-wishes.ts";
import { parsePrefill } from "#lib/application/prefill.ts";
import { valuesBeforeHydration, watchBrowserSubmit } from "#lib/browser/before-scripts.ts";
import {
  type ErrorMessages,
  findErrors,
  focusFirstError,
  hasErrors,
} from "#lib/browser/form-errors.ts";
import type { FormSubmission } from "#lib/browser/form-submission.ts";
import { changeValue, fillEmptyFields, formValues } from "#lib/browser/form-values.ts";
import { applicationForm } from "#lib/content/application-form.ts";
import { failureCopy, receiptCopy } from "#lib/content/application-result.ts";

export function ApplicationForm({
  submission,
  phone,
  legalText,
  onClose,
}: {
  submission: FormSubmission;
  phone: string;
  legalText: ReactNode;
  onClose?: () => void;
}) {
  const state = useFormState(submission);
  const { form: name, status, refusal, receipt } = state;
  const inDialog = name === "dialog";
  const busy = status === "sending";
  const hasFailed = status === "queued" || status === "not-queued" || status === "rejected";
  const [errors, setErrors] = useState<ErrorMessages>({});
  const [typedBefore] = useState(() => valuesBeforeHydration(POST_PATHS[name]));
  const form = useRef<HTMLFormElement>(null);
  const box = useRef<HTMLElement>(null);

  useEffect(() => {
    const element = form.current;
    if (!element) return;
    // React renders empty fields again if a browser extension or a translation changed the page before hydration.
    fillEmptyFields(element, typedBefore);
    watchBrowserSubmit(submission.setSendingByBrowser);
    void restoreValues(submission, element);
  }, [submission, typedBefore]);

  useEffect(() => {
    if (refusal) setErrors(refusal.errors);
  }, [refusal]);

  function onInput({ target, currentTarget: element }: FormEvent<HTMLFormElement>) {
    const changed = String(Reflect.get(target, "name"));
    const values = formValues(element);
    setErrors((shown) =>
      shown[changed] ? { ...shown, [changed]: findErrors(name, values)[changed] } : shown,
    );
    submission.edit(values);
  }

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    // `state` is that of the last rendering, and a submission may have begun since.
    if (submission.getSnapshot().status === "sending") return;
    const element = event.currentTarget;
    const values = formValues(element);
    let wrong = findErrors(name, values);
    if (!hasErrors(wrong)) {
      // The submission starts before anything is rendered, because the page may be closed at any moment.
      const answer = submission.submit(values);
      // A disabled field loses the focus, so the button gets the focus before the fields are disabled.
      element.querySelector<HTMLElement>("[type=submit]")?.focus({ preventScroll: true });
      wrong = (await answer).refusal?.errors ?? {};
    }
    flushSync(() => setErrors(wrong));
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: "nearest" });
    focusFirstError(element, wrong);
  }

  const label = hasFailed && inDialog ? failureCopy.again : applicationForm.submit;
  return (
    <form
      ref={form}
      onInput={onInput}
      onSubmit={onSubmit}
      method="post"
      action={POST_PATHS[name]}
      // The browser's own messages may be in another language.
      noValidate
      aria-busy={busy}
      className={inDialog ? "flex min-h-0 flex-auto flex-col" : "grid grid-cols-1 gap-5"}
    >
      <div className={inDialog ? "sheet-body" : "contents"}>
        {inDialog && (
          <p className="text-asphalt-600 type-helper">
            <span className="text-error-600">*</span> {applicationForm.note.dialog}
          </p>
        )}
        <ApplicationFields form={name} errors={errors} disabled={busy} />
        {legalText}
        {/* A screen reader announces only text that is added to an existing status. */}
        <div role="status" className="contents">
          {/* The submitted version arrived while the visitor was editing: the form now holds a new application. */}
          {receipt && !busy && (
            <p className="font-strong text-asphalt-900">
              {receiptCopy.sent} {receiptCopy.number} {formatApplicationId(receipt.applicationId)}
            </p>
          )}
        </div>
        {hasFailed && <SubmissionFailure state={state} phone={phone} ref={box} />}
      </div>
      <div className={inDialog ? "sheet-buttons" : "contents"}>
        {inDialog && (
          <Button variant="outline" onClick={onClose}>
            {status === "queued" ? applicationForm.close : applicationForm.cancel}
          </Button>
        )}
        <Button
          type="submit"
          size={inDialog ? "md" : "lg"}
          busy={busy}
          className={inDialog ? "px-3 md:min-w-48" : "w-full"}
        >
          {busy ? applicationForm.busy : label}
        </Button>
      </div>
    </form>
  );
}

/** Only the first form of a page is prefilled: the form after a submission begins empty. */
let isFirstForm = true;

/** Restores this tab's draft, or the values that the server refused, in the empty fields. */
async function restoreValues(submission: FormSubmission, element: HTMLFormElement): Promise<void> {
  const isFirst = isFirstForm;
  isFirstForm = false;
  const values = await submission.restore();
  if (!values) return;
  // The browser may have restored values that this tab had already submitted.
  if (submission.wasSubmitted(formValues(element))) element.reset();
  fillEmptyFields(element, values);
  element.dispatchEvent(new Event("input", { bubbles: true }));
  if (isFirst) prefill(element);
  const { refusal } = submission.getSnapshot();
  if (refusal && !focusFirstError(element, refusal.errors)) element.querySelector("input")?.focus();
}

function prefill(form: HTMLFormElement): void {
  const { region, carType, wish } = parsePrefill(location.search);
  if (region) changeValue(form, "region", (chosen) => chosen || region);
  if (carType && formValues(form).carType) return;
  if (carType) changeValue(form, "carType", () => carType);
  if (wish) changeValue(form, "message", (text) => withWish(text, wish.words));
}
