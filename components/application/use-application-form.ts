"use client";

import { type FormEvent, useCallback, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { ErrorMessages } from "#components/application/application-fields.tsx";
import {
  afterChange,
  browserErrors,
  focusFirstError,
  serverErrors,
} from "#components/application/form-errors.ts";
import type { FormName } from "#lib/application/fields.ts";
import { lock, unlock } from "#lib/browser/application-lock.ts";
import { forgetDraft, readDraft, saveDraft } from "#lib/browser/draft.ts";
import { type FormValues, fillEmpty, formValuesIn, sameValues } from "#lib/browser/form-values.ts";
import { newIdempotencyKey } from "#lib/browser/idempotency-key.ts";
import { list, prepare, put, remove } from "#lib/browser/outbox.ts";
import type { OutboxEntry } from "#lib/browser/outbox-entry.ts";
import { resendLater } from "#lib/browser/resend-schedule.ts";
import { giveUp, type Submitted, submit, type Unanswered } from "#lib/browser/submit.ts";

/**
 * A form's way from the press to the answer: the browser's checks, one submission at a time, the errors at
 * their fields. What the result means for the page is up to the form (`onResult`). While the form is open on an
 * application that the server does not have, it holds the application's lock. If the outbox has the application,
 * every change is written there too: when the visitor leaves, the last version is sent.
 */
export function useApplicationForm(
  form: FormName,
  {
    correction,
    onResult,
  }: {
    /** A kept application that the server refused: it is filled in already. */
    correction?: OutboxEntry | undefined;
    onResult: (submitted: Submitted) => void;
  },
) {
  const [errors, setErrors] = useState<ErrorMessages>(() => errorsOf(correction));
  const [busy, setBusy] = useState(false);
  // A ref, because a second press can come before the button is drawn as busy.
  const sending = useRef(false);
  const unanswered = useRef<Unanswered | undefined>(
    correction && { ...correction, inOutbox: true },
  );

  /** The visitor has left the form: from now on the outbox sends its application. */
  const leave = useCallback(() => {
    if (!unanswered.current) return;
    const { idempotencyKey, retryAfterMs } = unanswered.current;
    unlock(idempotencyKey);
    resendLater(retryAfterMs);
  }, []);
  /** The visitor is at the form again. */
  const resume = useCallback(() => {
    if (unanswered.current) lock(unanswered.current.idempotencyKey);
  }, []);

  useEffect(() => {
    resume();
    return leave;
  }, [resume, leave]);

  /** The visitor has cancelled the application: it is removed, and nobody sends it. */
  function discard() {
    forgetDraft(form);
    if (!unanswered.current) return;
    const { idempotencyKey } = unanswered.current;
    unanswered.current = undefined;
    void remove(idempotencyKey).then(() => unlock(idempotencyKey));
  }

  const ref = useCallback(
    (element: HTMLFormElement | null) => {
      if (!element) return;
      // With script the form shows the browser's checks itself; without it the browser does.
      element.noValidate = true;
      if (correction) {
        const marked = focusFirstError(element, errorsOf(correction));
        if (!marked) element.querySelector("input")?.focus();
        return;
      }
      const draft = unanswered.current ? undefined : readDraft(form);
      if (!draft) return;
      fillEmpty(element, draft.values);
      void clearIfKept(form, element, draft.values, () => sending.current);
      void prepare();
    },
    [correction, form],
  );

  function onInput({ target, currentTarget }: FormEvent<HTMLFormElement>) {
    void prepare();
    setErrors((current) => afterChange(current, target));
    const values = formValuesIn(new FormData(currentTarget));
    // The outbox sends its entry by itself; a draft beside it would become a second application.
    if (unanswered.current?.inOutbox) put(entryOf(form, values, unanswered.current));
    else saveDraft(form, values);
  }

  async function send(element: HTMLFormElement): Promise<void> {
    const values = formValuesIn(new FormData(element));
    let key = unanswered.current?.idempotencyKey ?? readDraft(form)?.idempotencyKey;
    let submitted: Submitted;
    try {
      key ??= newIdempotencyKey();
      // Before anything is drawn: the page may end at any moment.
      const answer = submit(form, values, {
        inOutbox: false,
        ...unanswered.current,
        idempotencyKey: key,
      });
      // The fields are about to be disabled: the focus must not fall out of the form with them.
      element.querySelector<HTMLElement>("[type=submit]")?.focus({ preventScroll: true });
      setErrors({});
      setBusy(true);
      submitted = await answer;
    } catch {
      // A browser that breaks its own rules: the visitor hears that nobody has the application.
      submitted = await giveUp(form, values, key);
    }
    const { result } = submitted;
    unanswered.current = unansweredOf(submitted, unanswered.current);
    sending.current = false;
    const refused = result.kind === "refused" ? serverErrors(result.errors) : {};
    flushSync(() => {
      setBusy(false);
      setErrors(refused);
      onResult(submitted);
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

  return { ref, errors, busy, leave, resume, discard, onInput, onSubmit };
}

function errorsOf(correction: OutboxEntry | undefined): ErrorMessages {
  return serverErrors(correction?.refusal?.errors ?? {});
}

function entryOf(
  form: FormName,
  values: FormValues,
  { idempotencyKey, refusal }: Unanswered,
): OutboxEntry {
  return { idempotencyKey, form, values, keptAt: Date.now(), refusal };
}

function unansweredOf(
  { result, idempotencyKey }: Submitted,
  before: Unanswered | undefined,
): Unanswered | undefined {
  if (idempotencyKey === undefined) return undefined;
  switch (result.kind) {
    case "received":
      return undefined;
    case "kept":
      return { idempotencyKey, inOutbox: true, retryAfterMs: result.retryAfterMs };
    case "refused":
      return { idempotencyKey, inOutbox: before?.inOutbox ?? false, refusal: result };
    case "unkept":
      return { idempotencyKey, inOutbox: false };
  }
}

/** A browser that restores its tabs can bring back the draft of an application that the outbox has by now. */
async function clearIfKept(
  form: FormName,
  element: HTMLFormElement,
  draft: FormValues,
  isSending: () => boolean,
): Promise<void> {
  const { entries } = await list();
  if (!entries.some(({ values }) => sameValues(values, draft)) || isSending()) return;
  if (!sameValues(formValuesIn(new FormData(element)), draft)) return;
  forgetDraft(form);
  element.reset();
}
