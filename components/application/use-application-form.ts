"use client";

import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import {
  type ErrorMessages,
  focusFirstError,
  isValid,
  problemOf,
  problemsOf,
} from "#components/application/form-errors.ts";
import { FIELD_NAMES, type FormName } from "#lib/application/fields.ts";
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
  const [errors, setErrors] = useState<ErrorMessages>(correction?.refusal.errors ?? {});
  const [busy, setBusy] = useState(false);
  const [record] = useState(() => new FormRecord(form, correction));
  const ref = useRef<HTMLFormElement>(null);
  const ready = useEffectEvent((element: HTMLFormElement) => onReady?.(element));

  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    // With script the form shows the browser's checks itself; without it the browser does.
    element.noValidate = true;
    if (!correction) void record.restore(element).then(() => ready(element));
    else if (!focusFirstError(element, correction.refusal.errors))
      element.querySelector("input")?.focus();
    const leave = () => record.leave();
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pagehide", leave);
      leave();
    };
  }, [correction, record]);

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
      wrong = result.kind === "refused" ? result.refusal.errors : {};
      flushSync(() => {
        setBusy(false);
        onResult({ result, values });
      });
    }
    flushSync(() => setErrors(wrong));
    focusFirstError(element, wrong);
  }

  return { ref, errors, busy, record, onInput, onSubmit };
}
