"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { ErrorMessages } from "#components/application/application-fields.tsx";
import {
  afterChange,
  browserErrors,
  focusFirstError,
  isValid,
  serverErrors,
} from "#components/application/form-errors.ts";
import type { FormName } from "#lib/application/fields.ts";
import { FormRecord } from "#lib/browser/form-record.ts";
import { type FormValues, formValues } from "#lib/browser/form-values.ts";
import type { Refused } from "#lib/browser/record.ts";
import type { Result } from "#lib/browser/sender.ts";

/** What a press has come to, with what was pressed. */
export interface Submitted {
  result: Result;
  values: FormValues;
}

/**
 * A form's way from the first character to the answer: the browser's checks, one submission at a time, the errors at
 * their fields. What the result means for the page is up to `onResult`. `onReady`: the draft is in the form.
 */
export function useApplicationForm(
  form: FormName,
  correction: Refused | undefined,
  onReady: ((form: HTMLFormElement) => void) | undefined,
  onResult: (submitted: Submitted) => void,
) {
  const [errors, setErrors] = useState(() => serverErrors(correction?.refusal.errors ?? {}));
  const [busy, setBusy] = useState(false);
  // A ref, because a second press can come before the button is drawn as busy.
  const sending = useRef(false);
  const [record] = useState(() => new FormRecord(form, correction));
  const ref = useRef<HTMLFormElement>(null);
  const ready = useRef(onReady);

  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    // With script the form shows the browser's checks itself; without it the browser does.
    element.noValidate = true;
    const refused = serverErrors(correction?.refusal.errors ?? {});
    if (!correction) void record.restore(element).then(() => ready.current?.(element));
    else if (!focusFirstError(element, refused)) element.querySelector("input")?.focus();
    const leave = () => record.leave();
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pagehide", leave);
      leave();
    };
  }, [correction, record]);

  function onInput({ target, currentTarget }: FormEvent<HTMLFormElement>) {
    setErrors((current) => afterChange(current, target));
    record.typed(formValues(currentTarget), isValid(currentTarget));
  }

  async function send(element: HTMLFormElement): Promise<void> {
    const values = formValues(element);
    // Before anything is drawn: the page may end at any moment.
    const answer = record.press(values);
    // The fields are about to be disabled: the focus must not fall out of the form with them.
    element.querySelector<HTMLElement>("[type=submit]")?.focus({ preventScroll: true });
    setErrors({});
    setBusy(true);
    const result = await answer;
    sending.current = false;
    const refused: ErrorMessages = result.kind === "refused" ? serverErrors(result.errors) : {};
    flushSync(() => {
      setBusy(false);
      setErrors(refused);
      onResult({ result, values });
    });
    focusFirstError(element, refused);
  }

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (sending.current) return;
    const element = event.currentTarget;
    const found = browserErrors(element);
    if (Object.keys(found).length > 0) {
      flushSync(() => setErrors(found));
      focusFirstError(element, found);
      return;
    }
    sending.current = true;
    void send(element);
  }

  return { ref, errors, busy, record, onInput, onSubmit };
}
