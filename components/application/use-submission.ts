"use client";

import { type FormEvent, useCallback, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { FieldErrors } from "#components/application/application-fields.tsx";
import {
  afterChange,
  browserErrors,
  focusFirstError,
  serverErrors,
} from "#components/application/form-errors.ts";
import type { Correction } from "#components/application/use-correction.ts";
import type { FormName } from "#lib/application/fields.ts";
import { readDraft, saveDraft } from "#lib/browser/draft.ts";
import { drainLater } from "#lib/browser/drain.ts";
import { type FormValues, fillEmpty, formValuesIn, sameValues } from "#lib/browser/form-values.ts";
import { hold, release } from "#lib/browser/hold.ts";
import { prepareOutbox } from "#lib/browser/outbox.ts";
import { type Attempt, type Result, submitApplication } from "#lib/browser/submit.ts";

/** What became of a press of the button. */
export interface Submitted {
  result: Result;
  values: FormValues;
  idempotencyKey: string;
}

/**
 * A form's way from the press to the answer: the browser's checks, one submit at a time, the errors at
 * their fields. What the result means for the page is the form's own matter (`onResult`).
 */
export function useSubmission(
  form: FormName,
  correction: Correction | undefined,
  onResult: (submitted: Submitted) => void,
) {
  const [errors, setErrors] = useState<FieldErrors>(() => serverErrors(correction?.errors ?? {}));
  const [busy, setBusy] = useState(false);
  // A ref, because a second press can come before the button is drawn as busy.
  const sending = useRef(false);
  const attempt = useRef<Attempt | undefined>(correction);

  /** Leaves an unanswered attempt to the drain: the visitor has left the form. */
  const letGo = useCallback(() => {
    if (!attempt.current) return;
    release(attempt.current.idempotencyKey);
    void drainLater(attempt.current.retryAfterMs);
  }, []);
  /** Takes it back from the drain: the visitor is at the form again. */
  const takeBack = useCallback(() => {
    if (attempt.current) hold(attempt.current.idempotencyKey);
  }, []);

  useEffect(() => {
    prepareOutbox();
    takeBack();
    return letGo;
  }, [takeBack, letGo]);

  const ref = useCallback(
    (element: HTMLFormElement | null) => {
      if (!element) return;
      // With script the form shows the browser's checks itself; without it the browser does.
      element.noValidate = true;
      if (!correction) {
        attempt.current ??= takeUpDraft(form, element);
        return;
      }
      const marked = focusFirstError(element, serverErrors(correction.errors));
      if (!marked) element.querySelector("input")?.focus();
    },
    [correction, form],
  );

  function onInput({ target, currentTarget }: FormEvent<HTMLFormElement>) {
    setErrors((current) => afterChange(current, target));
    // What the outbox has goes out by itself; a draft beside it would become a second application.
    if (attempt.current?.kept) return;
    const values = formValuesIn(new FormData(currentTarget));
    const unanswered = attempt.current && sameValues(values, attempt.current.values);
    saveDraft(form, { ...(unanswered && attempt.current), values });
  }

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (sending.current) return;
    const element = event.currentTarget;
    const found = browserErrors(element);
    flushSync(() => setErrors(found));
    if (focusFirstError(element, found)) return;

    sending.current = true;
    const values = formValuesIn(new FormData(element));
    // The fields are about to be disabled: the focus must not fall out of the form with them.
    element.querySelector<HTMLElement>("[type=submit]")?.focus({ preventScroll: true });
    setBusy(true);
    const submitted = await submitApplication(form, values, attempt.current);
    const { result } = submitted;
    attempt.current = result.kind === "received" ? undefined : submitted.attempt;
    sending.current = false;
    const refused = result.kind === "refused" ? serverErrors(result.errors) : {};
    flushSync(() => {
      setBusy(false);
      setErrors(refused);
      onResult({ result, values, idempotencyKey: submitted.attempt.idempotencyKey });
    });
    focusFirstError(element, refused);
  }

  return { ref, errors, busy, letGo, takeBack, onInput, onSubmit };
}

/** Puts back what was typed before a reload; returns the unanswered press that it was part of. */
function takeUpDraft(form: FormName, element: HTMLFormElement): Attempt | undefined {
  const draft = readDraft(form);
  if (!draft) return undefined;
  const { values, idempotencyKey } = draft;
  fillEmpty(element, values);
  return idempotencyKey === undefined
    ? undefined
    : { idempotencyKey, values, refused: false, kept: false };
}
