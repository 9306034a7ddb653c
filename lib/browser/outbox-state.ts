/** What the page shows of the outbox, for useSyncExternalStore. */
import { isLockedHere } from "#lib/browser/application-lock.ts";
import { list, watchOutbox } from "#lib/browser/outbox.ts";
import type { Ending, OutboxEntry } from "#lib/browser/outbox-entry.ts";

export interface OutboxState {
  waiting: readonly OutboxEntry[];
  refused: readonly OutboxEntry[];
  endings: readonly Ending[];
  /** The kept applications are being sent now, because the visitor asked for it. */
  sending: boolean;
  /** The visitor asked for it, and it did not succeed. */
  notSent: boolean;
}

export const EMPTY: OutboxState = {
  waiting: [],
  refused: [],
  endings: [],
  sending: false,
  notSent: false,
};

let state = EMPTY;
const listeners = new Set<() => void>();
let stopWatching: (() => void) | undefined;

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  stopWatching ??= watchOutbox(() => void refresh());
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    stopWatching?.();
    stopWatching = undefined;
  };
}

export function currentState(): OutboxState {
  return state;
}

export function setState(change: Partial<OutboxState>): void {
  state = { ...state, ...change };
  for (const listener of listeners) listener();
}

/** Reads the outbox, except the application that a form of this page is open on: that form shows it. */
export async function refresh(): Promise<OutboxState> {
  const { entries, endings, complete } = await list();
  // The page goes on showing what it showed; the next refresh reads the rest.
  if (!complete) return state;
  const free = entries.filter(({ idempotencyKey }) => !isLockedHere(idempotencyKey));
  const waiting = free.filter(({ refusal }) => refusal === undefined);
  const refused = free.filter(({ refusal }) => refusal !== undefined);
  const lists = [state.waiting, state.refused, state.endings, waiting, refused, endings];
  if (lists.some(({ length }) => length > 0)) setState({ waiting, refused, endings });
  return state;
}
