/** What the page shows of the outbox, for useSyncExternalStore; outbox-refresh.ts reads it. */
import type { Ending, OutboxEntry } from "#lib/browser/outbox-entry.ts";

export interface OutboxView {
  waiting: readonly OutboxEntry[];
  refused: readonly OutboxEntry[];
  endings: readonly Ending[];
  /** The kept applications are being sent now. */
  sending: boolean;
  /** The key of the application that this page's own form tells of: nobody else does. */
  atForm: string | undefined;
}

export const EMPTY_VIEW: OutboxView = {
  waiting: [],
  refused: [],
  endings: [],
  sending: false,
  atForm: undefined,
};

let view = EMPTY_VIEW;
const listeners = new Set<() => void>();

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentView(): OutboxView {
  return view;
}

export function show(change: Partial<OutboxView>): void {
  view = { ...view, ...change };
  for (const listener of listeners) listener();
}
