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
import { type FormValues, formValuesIn } from "#lib/browser/form-values.ts";
import { prepareOutbox } from "#lib/browser/outbox.ts";
import { hold, release } from "#lib/browser/outbox-view.ts";
import type { Attempt, Result } from "#lib/browser/submit.ts";
import { whenIdle } from "#lib/browser/when-idle.ts";

/** What a press needs: loaded while the visitor reads the form, so that going offline does not keep it away. */
const loadSubmit = () => import("#lib/browser/submit.ts");
const loadDrain = () => import("#lib/browser/drain.ts");

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
    const { retryAfterMs } = attempt.current;
    loadDrain().then(
      ({ drainLater }) => drainLater(retryAfterMs),
      () => {
        // No network: what is kept goes out from the next page that has one.
      },
    );
  }, []);
  /** Takes it back from the drain: the visitor is at the form again. */
  const takeBack = useCallback(() => {
    if (attempt.current) hold(attempt.current.idempotencyKey);
  }, []);

  useEffect(() => {
    const forget = whenIdle(() => {
      prepareOutbox();
      Promise.all([loadSubmit(), loadDrain()]).catch(() => {
        // Asked for again on the press.
      });
    });
    takeBack();
    return () => {
      forget();
      letGo();
    };
  }, [takeBack, letGo]);

  const ref = useCallback(
    (element: HTMLFormElement | null) => {
      if (!element) return;
      // With script the form shows the browser's checks itself; without it the browser does.
      element.noValidate = true;
      if (!correction) return;
      const marked = focusFirstError(element, serverErrors(correction.errors));
      if (!marked) element.querySelector("input")?.focus();
    },
    [correction],
  );

  function onInput({ target }: FormEvent<HTMLFormElement>) {
    setErrors((current) => afterChange(current, target));
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
    const { result, attempt: tried } = await submit(form, values, attempt.current);
    attempt.current = result.kind === "received" ? undefined : tried;
    sending.current = false;
    const refused = result.kind === "refused" ? serverErrors(result.errors) : {};
    flushSync(() => {
      setBusy(false);
      setErrors(refused);
      onResult({ result, values, idempotencyKey: tried?.idempotencyKey ?? "" });
    });
    focusFirstError(element, refused);
  }

  return { ref, errors, busy, letGo, takeBack, onInput, onSubmit };
}

/** Keeps and sends. Without a network and without its code it can do neither, and says so. */
async function submit(form: FormName, values: FormValues, previous: Attempt | undefined) {
  try {
    const { submitApplication } = await loadSubmit();
    return await submitApplication(form, values, previous);
  } catch {
    const result: Result = { kind: "unkept", errorText: undefined };
    return { result, attempt: previous };
  }
}
