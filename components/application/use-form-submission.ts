"use client";

import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from "react";
import type { FormName } from "#lib/application/fields.ts";
import { FormSubmission } from "#lib/browser/form-submission.ts";

/** `finished` is an earlier submission, whose result is still shown. */
export function useFormSubmission(form: FormName, isOpen: boolean) {
  const [submission, setSubmission] = useState(() => new FormSubmission(form));
  const [finished, setFinished] = useState<FormSubmission>();
  const { whenDone } = useFormState(submission);

  useLayoutEffect(() => {
    if (!whenDone) return;
    if (whenDone === "show-result") setFinished(submission);
    setSubmission(new FormSubmission(form));
  }, [whenDone, submission, form]);

  useEffect(() => {
    const setHere = (isHere: boolean) => {
      submission.setOpen(isHere && isOpen);
      finished?.setOpen(isHere);
    };
    const enter = () => setHere(true);
    const leave = () => setHere(false);
    enter();
    addEventListener("pageshow", enter);
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pageshow", enter);
      removeEventListener("pagehide", leave);
      leave();
    };
  }, [submission, finished, isOpen]);

  function dismissFinished() {
    // The effect above would show the notice only one rendering after the panel has gone.
    finished?.setOpen(false);
    setFinished(undefined);
  }
  return { submission, finished, dismissFinished };
}

export function useFormState({ subscribe, getSnapshot }: FormSubmission) {
  return useSyncExternalStore(subscribe, getSnapshot, getSnapshot);
}
