/** What the page shows of the outbox, for useSyncExternalStore. */
import { isHeld } from "#lib/browser/hold.ts";
import { list, mayHoldEntries } from "#lib/browser/outbox.ts";
import type { Ending, OutboxEntry } from "#lib/browser/outbox-entry.ts";

export interface OutboxView {
  waiting: readonly OutboxEntry[];
  refused: readonly OutboxEntry[];
  endings: readonly Ending[];
  /** The kept applications are being sent now. */
  sending: boolean;
}

export const EMPTY_VIEW: OutboxView = { waiting: [], refused: [], endings: [], sending: false };

let view = EMPTY_VIEW;
const listeners = new Set<() => void>();

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentView(): OutboxView {
  return view;
}

function show(change: Partial<OutboxView>): void {
  view = { ...view, ...change };
  for (const listener of listeners) listener();
}

export function showSending(sending: boolean): void {
  if (view.sending !== sending) show({ sending });
}

/** Reads the outbox and shows it, without what a form of this page has: it shows that itself. @throws when the database does not answer. */
export async function refresh(): Promise<OutboxView> {
  if (!(await mayHoldEntries())) return view;
  const { entries, endings } = await list();
  const free = entries.filter((entry) => !isHeld(entry.idempotencyKey));
  const waiting = free.filter((entry) => entry.refusal === undefined);
  const refused = free.filter((entry) => entry.refusal !== undefined);
  const unchanged = [view.waiting, view.refused, view.endings, waiting, refused, endings].every(
    ({ length }) => length === 0,
  );
  if (!unchanged) show({ waiting, refused, endings });
  return view;
}

/** A change by the visitor's hand, and what the outbox holds then; one that failed shows as unchanged. */
export async function changeOutbox(change: () => Promise<void>): Promise<void> {
  try {
    await change();
    await refresh();
  } catch {
    // The database does not answer: what is shown is still there, and can be pressed again.
  }
}
