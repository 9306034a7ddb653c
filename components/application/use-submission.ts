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
import type { FormName } from "#lib/application/fields.ts";
import type { Correction } from "#lib/browser/correction.ts";
import { type Draft, forgetDraft, readDraft, saveDraft } from "#lib/browser/draft.ts";
import { type FormValues, fillEmpty, formValuesIn, sameValues } from "#lib/browser/form-values.ts";
import { hold, release } from "#lib/browser/hold.ts";
import { inTime } from "#lib/browser/in-time.ts";
import { type Attempt, type Press, press, type Result, unsent } from "#lib/browser/press.ts";
import { whenIdle } from "#lib/browser/when-idle.ts";

/** What became of a press of the button. */
export interface Submitted {
  result: Result;
  values: FormValues;
  idempotencyKey: string;
}

/** Code that has not come by then is treated as if the network were gone. */
const CODE_LIMIT_MS = 10_000;
const RESULT_CODE_LIMIT_MS = 3_000;

async function loadOutbox() {
  return (await import("#lib/browser/form-outbox.ts")).formOutbox;
}

/** Without the code, or the database: what depends on it is done at the press, or by the next page. */
function ignore(): void {}

/**
 * A form's way from the press to the answer: the browser's checks, one submit at a time, the errors at
 * their fields. What the result means for the page is the form's own matter (`onResult`), which is called
 * once the code to show it has come (`loadResult`).
 */
export function useSubmission(
  form: FormName,
  {
    correction,
    loadResult,
    onResult,
  }: {
    correction?: Correction | undefined;
    loadResult?: () => Promise<unknown>;
    onResult: (submitted: Submitted) => void;
  },
) {
  const [errors, setErrors] = useState<FieldErrors>(() => serverErrors(correction?.errors ?? {}));
  const [busy, setBusy] = useState(false);
  // A ref, because a second press can come before the button is drawn as busy.
  const sending = useRef(false);
  const attempt = useRef<Attempt | undefined>(correction);

  /** Leaves an unanswered attempt to the drain: the visitor has left the form. */
  const letGo = useCallback(() => {
    if (!attempt.current) return;
    const { idempotencyKey, retryAfterMs } = attempt.current;
    release(idempotencyKey);
    loadOutbox().then(({ drainLater }) => drainLater(retryAfterMs), ignore);
  }, []);
  /** Takes it back from the drain: the visitor is at the form again. */
  const takeBack = useCallback(() => {
    if (attempt.current) hold(attempt.current.idempotencyKey);
  }, []);

  useEffect(() => {
    takeBack();
    const forget = whenIdle(() => void loadOutbox().catch(ignore));
    return () => {
      forget();
      letGo();
    };
  }, [takeBack, letGo]);

  /** A browser that restores its tabs can bring back the draft of what was pressed since. */
  const leaveToOutbox = useCallback(
    async (element: HTMLFormElement, { values, idempotencyKey }: Draft) => {
      const { isOnDevice } = await loadOutbox();
      if (!(await isOnDevice(values, idempotencyKey)) || sending.current) return;
      if (!sameValues(formValuesIn(new FormData(element)), values)) return;
      forgetDraft(form);
      element.reset();
      letGo();
      attempt.current = undefined;
    },
    [form, letGo],
  );

  const ref = useCallback(
    (element: HTMLFormElement | null) => {
      if (!element) return;
      // With script the form shows the browser's checks itself; without it the browser does.
      element.noValidate = true;
      if (correction) {
        const marked = focusFirstError(element, serverErrors(correction.errors));
        if (!marked) element.querySelector("input")?.focus();
        return;
      }
      const draft = attempt.current ? undefined : readDraft(form);
      if (!draft) return;
      fillEmpty(element, draft.values);
      attempt.current = attemptOf(draft);
      leaveToOutbox(element, draft).catch(ignore);
      openOutbox();
    },
    [correction, form, leaveToOutbox],
  );

  function onInput({ target, currentTarget }: FormEvent<HTMLFormElement>) {
    openOutbox();
    setErrors((current) => afterChange(current, target));
    // What is on the device goes out by itself; a draft beside it would become a second application.
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
    if (Object.keys(found).length > 0) {
      flushSync(() => setErrors(found));
      focusFirstError(element, found);
      return;
    }

    sending.current = true;
    const values = formValuesIn(new FormData(element));
    // Before anything is drawn: the page may end at any moment.
    const pressed = press(form, values, attempt.current);
    const answer = sendOff(pressed);
    // The fields are about to be disabled: the focus must not fall out of the form with them.
    element.querySelector<HTMLElement>("[type=submit]")?.focus({ preventScroll: true });
    setErrors({});
    setBusy(true);
    const [{ result, attempt: made }] = await Promise.all([
      answer,
      loadResult && inTime(loadResult(), RESULT_CODE_LIMIT_MS).catch(ignore),
    ]);
    attempt.current = result.kind === "received" ? undefined : made;
    sending.current = false;
    const refused = result.kind === "refused" ? serverErrors(result.errors) : {};
    flushSync(() => {
      setBusy(false);
      setErrors(refused);
      onResult({ result, values, idempotencyKey: made.idempotencyKey });
    });
    focusFirstError(element, refused);
  }

  return { ref, errors, busy, letGo, takeBack, onInput, onSubmit };
}

/** Into the outbox and to the server; without the code for that, what the press itself has done stands. */
async function sendOff(pressed: Press): Promise<{ result: Result; attempt: Attempt }> {
  const outbox = await inTime(loadOutbox(), CODE_LIMIT_MS).catch(ignore);
  return outbox ? outbox.submitApplication(pressed) : unsent(pressed);
}

/** So that the press that will follow is in the database within milliseconds. */
function openOutbox(): void {
  loadOutbox().then(({ prepareOutbox }) => prepareOutbox(), ignore);
}

/** The unanswered press that a draft was part of before a reload. */
function attemptOf({ values, idempotencyKey }: Draft): Attempt | undefined {
  if (idempotencyKey === undefined) return undefined;
  return { idempotencyKey, values, refused: false, kept: false };
}
