"use client";

import { useEffect } from "react";
import { writeDraft } from "#lib/browser/draft.ts";

/** Lets Back show an empty form after the browser itself, without the scripts, has sent the application. */
export function SubmittedDraft() {
  useEffect(() => {
    // After Back or a reload, the draft may already belong to the next application.
    const [visit] = performance.getEntriesByType("navigation");
    if (visit instanceof PerformanceNavigationTiming && visit.type === "navigate")
      writeDraft("submitted");
  }, []);
  return null;
}
