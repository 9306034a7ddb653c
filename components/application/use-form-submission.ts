"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import type { FormName } from "#lib/application/fields.ts";
import { openDatabase } from "#lib/browser/database.ts";
import { FormSubmission } from "#lib/browser/form-submission.ts";

export function useFormSubmission(form: FormName) {
  const [submission] = useState(() => new FormSubmission(form));
  const { subscribe, getSnapshot, resume } = submission;
  const state = useSyncExternalStore(subscribe, getSnapshot, getSnapshot);

  useEffect(() => {
    // The database is opened in advance, so that a submission can write at once.
    openDatabase().catch(() => undefined);
    const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && resume();
    addEventListener("pageshow", onPageShow);
    return () => removeEventListener("pageshow", onPageShow);
  }, [resume]);

  return { submission, state };
}
