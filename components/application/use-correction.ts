"use client";

import { useCallback, useEffect, useState } from "react";
import type { Correction } from "#lib/browser/correction.ts";

/** Where the waiting notice sends the visitor; the address carries nothing of the application itself. */
export const CORRECT_HASH = "#correct";

/** The oldest refused application of the outbox, once the address asks for its correction, until it is `corrected`. */
export function useCorrection() {
  const [correction, setCorrection] = useState<Correction>();

  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    async function look() {
      if (location.hash !== CORRECT_HASH) return;
      // Gone from the address, so that the next press on the link is a change again.
      history.replaceState(history.state, "", location.pathname);
      const { takeRefused } = await import("#lib/browser/correction.ts");
      const found = await takeRefused(signal);
      if (found) setCorrection(found);
    }
    const lookAgain = () => {
      look().catch(() => {
        // The outbox does not answer: the notice stays as it is, with its text message.
      });
    };
    lookAgain();
    addEventListener("hashchange", lookAgain, { signal });
    return () => abort.abort();
  }, []);

  const corrected = useCallback(() => setCorrection(undefined), []);
  return { correction, corrected };
}
