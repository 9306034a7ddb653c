/** What goes between the thread that holds the store and the one that asks it; everything in it can be cloned. */
import { StorageUnavailable, type UnavailableReason } from "#lib/storage/errors.ts";

/** One call of an operation of the store. */
export interface Call {
  id: number;
  method: string;
  parameters: unknown[];
}

/** How a call ended. */
export type CallResult = { id: number } & (
  | { value: unknown }
  | { unavailable: { message: string; reason: UnavailableReason } }
  | { error: unknown }
);

/** Cloning an error loses its class and what it carries beyond its message. */
export function failureOf(error: unknown) {
  if (!(error instanceof StorageUnavailable)) return { error };
  return { unavailable: { message: error.message, reason: error.reason } };
}

/** What is handed in within one turn of the event loop goes out together: a message costs more than what is in it. */
export function byTurn<Item>(send: (items: readonly Item[]) => void): (item: Item) => void {
  let waiting: Item[] = [];
  return (item) => {
    if (waiting.push(item) > 1) return;
    setImmediate(() => {
      const items = waiting;
      waiting = [];
      send(items);
    });
  };
}
