"use client";

import { useEffect } from "react";
import { forgetOldDrafts } from "#lib/browser/draft.ts";
import { startResending } from "#lib/browser/resend-schedule.ts";

/** While the page is open it sends what the outbox holds, and keeps nothing past its time. */
export function useResending(): void {
  useEffect(() => {
    forgetOldDrafts();
    return startResending();
  }, []);
}
