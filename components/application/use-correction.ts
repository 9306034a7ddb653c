"use client";

import { useCallback, useEffect, useState } from "react";
import { lock, unlock } from "#lib/browser/application-lock.ts";
import type { OutboxEntry } from "#lib/browser/outbox-entry.ts";
import { refresh } from "#lib/browser/outbox-state.ts";

/** Where the notice of a refused application leads. The address carries nothing of the application itself. */
export const CORRECT_HASH = "#correct";

/**
 * The oldest refused application of the outbox, once the address asks for its correction, until it is
 * `corrected`. While the form is `busy` with another one, the address waits.
 */
export function useCorrection(busy: boolean) {
  const [correction, setCorrection] = useState<OutboxEntry>();

  useEffect(() => {
    if (busy) return;
    const abort = new AbortController();
    const { signal } = abort;
    async function look() {
      if (location.hash !== CORRECT_HASH) return;
      const [found] = (await refresh()).refused;
      if (signal.aborted) return;
      // Removed from the address, so that the next press on the link changes it again.
      history.replaceState(history.state, "", location.pathname);
      if (!found) return;
      lock(found.idempotencyKey);
      // First its notice goes: the page must not move once the focus is in the form.
      await refresh();
      if (!signal.aborted) return setCorrection(found);
      unlock(found.idempotencyKey);
      void refresh();
    }
    void look();
    addEventListener("hashchange", () => void look(), { signal });
    return () => abort.abort();
  }, [busy]);

  const corrected = useCallback(() => setCorrection(undefined), []);
  return { correction, corrected };
}
