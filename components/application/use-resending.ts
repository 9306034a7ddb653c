"use client";

import { useEffect } from "react";
import { forgetOldDrafts } from "#lib/browser/draft.ts";
import { startResending } from "#lib/browser/resend-schedule.ts";

/** Resends what the outbox holds while the page is open, and removes what has expired. */
export function useResending(): void {
  useEffect(() => {
    forgetOldDrafts();
    return startResending();
  }, []);
}
