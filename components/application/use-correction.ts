"use client";

import { useCallback, useEffect, useState } from "react";
import { hold } from "#lib/browser/hold.ts";
import type { Attempt } from "#lib/browser/press.ts";

/** A refused application that the visitor corrects: the form continues its attempt. */
export interface Correction extends Attempt {
  errors: Record<string, string>;
}

/** Where the waiting notice sends the visitor; the address carries nothing of the application itself. */
export const CORRECT_HASH = "#correct";

/** The oldest refused application of the outbox, once the address asks for its correction, until it is `corrected`. */
export function useCorrection() {
  const [correction, setCorrection] = useState<Correction>();

  useEffect(() => {
    const abort = new AbortController();
    async function look() {
      if (location.hash !== CORRECT_HASH) return;
      // Gone from the address, so that the next press on the link is a change again.
      history.replaceState(history.state, "", location.pathname);
      const { refresh } = await import("#lib/browser/outbox-refresh.ts");
      const entry = (await refresh()).refused[0];
      if (!entry || abort.signal.aborted) return;
      const { idempotencyKey, values, refusal } = entry;
      hold(idempotencyKey);
      setCorrection({
        idempotencyKey,
        values,
        refused: true,
        kept: true,
        errors: refusal?.errors ?? {},
      });
      await refresh();
    }
    const lookAgain = () => {
      look().catch(() => {
        // The outbox does not answer: the notice stays as it is, with its text message.
      });
    };
    lookAgain();
    addEventListener("hashchange", lookAgain, { signal: abort.signal });
    return () => abort.abort();
  }, []);

  const corrected = useCallback(() => setCorrection(undefined), []);
  return { correction, corrected };
}
