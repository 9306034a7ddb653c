"use client";

import { useEffect, useSyncExternalStore } from "react";
import { forgetOldDrafts } from "#lib/browser/draft.ts";
import { currentState, EMPTY, type OutboxState, subscribe } from "#lib/browser/outbox-state.ts";
import { startResending } from "#lib/browser/resend-schedule.ts";

/** What the outbox holds, kept up to date. */
export function useOutbox(): OutboxState {
  return useSyncExternalStore(subscribe, currentState, () => EMPTY);
}

/** The receipt of a kept application that was sent meanwhile. */
export function receiptOf(key: string | undefined, { endings }: OutboxState) {
  const ending = endings.find(({ idempotencyKey }) => idempotencyKey === key);
  return ending?.kind === "sent" ? ending.receipt : undefined;
}

/** Resends what the outbox holds while the page is open, and removes what has expired. */
export function useResending(): void {
  useEffect(() => {
    forgetOldDrafts();
    return startResending();
  }, []);
}
