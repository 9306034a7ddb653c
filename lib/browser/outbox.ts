/**
 * The outbox on the visitor's device: applications that the server has not acknowledged. An entry stays until
 * there is a validated receipt, the visitor deletes it, or seven days have passed. A submission that fails takes
 * its own entry out again when it tells the visitor that nothing was kept (giveBack and giveUp in submit.ts).
 *
 * It has two stores. localStorage is written in the same turn as the press, so that a tab which ends right
 * after it has lost nothing. But browsers put it on the disk seconds later, and a service worker cannot read
 * it. IndexedDB is on the disk once its transaction is done; from then on the first copy is not needed.
 * Every operation is one transaction on a handle of its own (Safari can kill one that is kept). A form that is
 * being filled in has one opened beforehand. No operation throws.
 */
import {
  change,
  DATABASE,
  mayHoldEntries,
  open,
  read,
  type Stored,
} from "#lib/browser/outbox-database.ts";
import { type Ending, entryIn, type OutboxEntry } from "#lib/browser/outbox-entry.ts";

/** The keys of the entries in localStorage begin with it. */
const PREFIX = "application/";

/** The oldest entry first. */
export interface Contents extends Stored {
  /** False when the database did not answer: there may be more. */
  complete: boolean;
}

/** Opened beforehand, for the next `put`. */
let opened: IDBDatabase | undefined;
let opening = false;
/** The writes of this page, one after the other: an earlier version must not overwrite a later one. */
let lastWrite: Promise<unknown> = Promise.resolve();

/** Opens the database for the submission that will follow. */
export async function prepare(): Promise<void> {
  if (opened || opening) return;
  opening = true;
  try {
    opened = await open();
  } catch {
    // The press tries again.
  }
  opening = false;
}

/**
 * Writes an entry, over the one with its key. `written`: it survives the end of the tab from now on.
 * `durable` becomes true when it survives the end of the browser too, and false when the browser cannot keep it.
 */
export function put(entry: OutboxEntry): { written: boolean; durable: Promise<boolean> } {
  const text = JSON.stringify(entry);
  const { idempotencyKey: key } = entry;
  const written = inLocalStorage((storage) => {
    storage.setItem(PREFIX + key, text);
    return true;
  });
  const durable = lastWrite.then(async () => {
    if (!(await isWritten(entry))) return false;
    inLocalStorage((storage) => {
      if (storage.getItem(PREFIX + key) === text) storage.removeItem(PREFIX + key);
    });
    return changed();
  });
  lastWrite = durable;
  return { written: written ?? false, durable };
}

async function isWritten(entry: OutboxEntry): Promise<boolean> {
  const write = (outbox: IDBObjectStore) => outbox.put(entry);
  const beforehand = opened;
  opened = undefined;
  // The handle may have died meanwhile. A fault of the browser itself shows on a new one too.
  return (beforehand && (await change(write, Promise.resolve(beforehand)))) || change(write);
}

/** Gives an entry another key. */
export async function changeKey(entry: OutboxEntry, key: string): Promise<OutboxEntry> {
  const renamed = { ...entry, idempotencyKey: key };
  const { durable } = put(renamed);
  await durable;
  await remove(entry.idempotencyKey);
  return renamed;
}

/** Removes an entry from both stores, also one that a slow database stores only after this call. */
export async function remove(key: string): Promise<boolean> {
  inLocalStorage((storage) => storage.removeItem(PREFIX + key));
  await lastWrite;
  // A later `put` must not use a handle that was opened before the removal.
  opened?.close();
  opened = undefined;
  return changed(await change((outbox) => outbox.delete(key)));
}

/** Removes an entry and records how it ended. */
export async function end(ending: Ending): Promise<boolean> {
  const key = ending.idempotencyKey;
  const done = await change((outbox, endings) => {
    endings.put(ending);
    outbox.delete(key);
  });
  inLocalStorage((storage) => storage.removeItem(PREFIX + key));
  return changed(done);
}

export async function forgetEnding(key: string): Promise<boolean> {
  return changed(await change((_outbox, endings) => endings.delete(key)));
}

/** Everything that is kept, in either store. */
export async function list(): Promise<Contents> {
  const local = inLocalStorage(entriesIn) ?? [];
  let stored: Stored = { entries: [], endings: [] };
  let complete = true;
  try {
    if (await mayHoldEntries()) stored = await read();
  } catch {
    complete = false;
  }
  const byKey = new Map(stored.entries.map((entry) => [entry.idempotencyKey, entry]));
  for (const entry of local) {
    const { idempotencyKey: key } = entry;
    if (stored.endings.some(({ idempotencyKey }) => idempotencyKey === key)) {
      // The service worker has sent it; it cannot clear this store.
      inLocalStorage((storage) => storage.removeItem(PREFIX + key));
    } else {
      byKey.set(key, entry);
    }
  }
  const entries = [...byKey.values()].sort((a, b) => a.keptAt - b.keptAt);
  return { entries, endings: stored.endings, complete };
}

export async function find(key: string): Promise<OutboxEntry | undefined> {
  return (await list()).entries.find(({ idempotencyKey }) => idempotencyKey === key);
}

/** Calls back after each change, by this page, another tab or the service worker; returns how to stop. */
export function watchOutbox(onChange: () => void): () => void {
  if (typeof BroadcastChannel === "undefined") return () => undefined;
  const channel = new BroadcastChannel(DATABASE);
  channel.onmessage = onChange;
  return () => channel.close();
}

function changed(done = true): boolean {
  if (typeof BroadcastChannel !== "undefined") {
    const channel = new BroadcastChannel(DATABASE);
    channel.postMessage("changed");
    channel.close();
  }
  return done;
}

/** Removes what another program left under our names. */
function entriesIn(storage: Storage): OutboxEntry[] {
  return Object.keys(storage).flatMap((name) => {
    if (!name.startsWith(PREFIX)) return [];
    const entry = entryIn(storage.getItem(name) ?? "");
    if (!entry) storage.removeItem(name);
    return entry ?? [];
  });
}

/** Storage can be blocked or full, and a service worker has none: then there is nothing here. */
function inLocalStorage<Result>(work: (storage: Storage) => Result): Result | undefined {
  try {
    return work(localStorage);
  } catch {
    return undefined;
  }
}
