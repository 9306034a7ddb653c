/** Brings what the page shows of the outbox up to date. */
import { isHeld } from "#lib/browser/hold.ts";
import { list, mayHoldEntries } from "#lib/browser/outbox.ts";
import { currentView, type OutboxView, show } from "#lib/browser/outbox-view.ts";

/** Reads the outbox and shows it, without what a form of this page has: it shows that itself. @throws when the database does not answer. */
export async function refresh(): Promise<OutboxView> {
  const view = currentView();
  if (!(await mayHoldEntries())) return view;
  const { entries, endings } = await list();
  const free = entries.filter((entry) => !isHeld(entry.idempotencyKey));
  const waiting = free.filter((entry) => entry.refusal === undefined);
  const refused = free.filter((entry) => entry.refusal !== undefined);
  const unchanged = [view.waiting, view.refused, view.endings, waiting, refused, endings].every(
    ({ length }) => length === 0,
  );
  if (!unchanged) show({ waiting, refused, endings });
  return currentView();
}

export function showSending(sending: boolean): void {
  if (currentView().sending !== sending) show({ sending });
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
