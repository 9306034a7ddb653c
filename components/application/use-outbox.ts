"use client";

import { useSyncExternalStore } from "react";
import { currentState, EMPTY, type OutboxState, subscribe } from "#lib/browser/outbox-state.ts";

/** What the outbox holds, kept up to date. */
export function useOutbox(): OutboxState {
  return useSyncExternalStore(subscribe, currentState, () => EMPTY);
}

/** The receipt of a kept application that was sent meanwhile. */
export function receiptOf(key: string | undefined, { endings }: OutboxState) {
  const ending = endings.find(({ idempotencyKey }) => idempotencyKey === key);
  return ending?.kind === "sent" ? ending.receipt : undefined;
}
