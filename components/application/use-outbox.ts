"use client";

import { useSyncExternalStore } from "react";
import { currentView, EMPTY_VIEW, type OutboxView, subscribe } from "#lib/browser/outbox-view.ts";

/** What the outbox holds, kept up to date. */
export function useOutbox(): OutboxView {
  return useSyncExternalStore(subscribe, currentView, () => EMPTY_VIEW);
}

/** The receipt of a kept application that the drain has sent meanwhile. */
export function receiptOf(key: string | undefined, { endings }: OutboxView) {
  const ending = endings.find(({ idempotencyKey }) => idempotencyKey === key);
  return ending?.kind === "sent" ? ending.receipt : undefined;
}
