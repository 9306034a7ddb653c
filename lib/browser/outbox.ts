/**
 * The outbox on the visitor's device: applications that the server has not acknowledged, in IndexedDB.
 * Every operation is one transaction on a handle of its own (Safari can kill one that is kept); only a
 * form that is being filled in has one opened beforehand, so that its press is on the disk at once.
 * An entry leaves by a validated receipt, by the visitor's hand, or after seven days; by nothing else.
 */
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from "idb";
import { inTime } from "#lib/browser/in-time.ts";
import type { Ending, OutboxEntry } from "#lib/browser/outbox-entry.ts";
import type { Refusal } from "#lib/browser/send.ts";

const DATABASE = "training-applications";
const VERSION = 1;
/** A database that has not answered by then is treated as blocked. */
const BLOCKED_AFTER_MS = 2_000;

interface Schema extends DBSchema {
  outbox: { key: string; value: OutboxEntry };
  endings: { key: string; value: Ending };
}
type Stores = ("outbox" | "endings")[];
const STORES: Stores = ["outbox", "endings"];
type Transaction<Mode extends IDBTransactionMode> = IDBPTransaction<Schema, Stores, Mode>;

/** Opened beforehand, for the next `keep`. */
let opened: IDBPDatabase<Schema> | undefined;
let opening = false;

/** Opens the database for the press that will follow. Never throws: the press hears of what is wrong. */
export async function prepareOutbox(): Promise<void> {
  if (opened || opening) return;
  opening = true;
  try {
    opened = await open();
  } catch {
    // Tried again by whoever needs it.
  }
  opening = false;
}

/** False only when nothing can be kept here: asks without making a database. */
export async function mayHoldEntries(): Promise<boolean> {
  if (typeof indexedDB === "undefined") return false;
  if (typeof indexedDB.databases !== "function") return true;
  try {
    const databases = await inTime(indexedDB.databases(), BLOCKED_AFTER_MS);
    return databases.some(({ name }) => name === DATABASE);
  } catch {
    return true;
  }
}

/** Writes an entry, in place of the one that it corrects. @throws when the browser cannot keep it. */
export async function keep(entry: OutboxEntry, replaced?: string): Promise<void> {
  const write: Work<"readwrite", unknown> = (transaction) => {
    const outbox = transaction.objectStore("outbox");
    const writes = [outbox.put(entry), replaced !== undefined && outbox.delete(replaced)];
    // Without waiting for the page to hear of the writes: it may end before that.
    transaction.commit();
    return Promise.all(writes);
  };
  const beforehand = opened;
  opened = undefined;
  if (beforehand) {
    try {
      await inTime(workOn(beforehand, "readwrite", write), BLOCKED_AFTER_MS);
      return;
    } catch {
      // The handle has died meanwhile; what is wrong with the browser, a fresh one finds too.
    }
  }
  await transact("readwrite", write);
}

/** Writes an entry that the outbox has never had; one that it has, or has sent, stays as it is. @throws as `keep` */
export function keepUnlessKnown(entry: OutboxEntry, replaced?: string): Promise<void> {
  return transact("readwrite", async (transaction) => {
    const outbox = transaction.objectStore("outbox");
    const key = entry.idempotencyKey;
    const known =
      (await outbox.get(key)) ?? (await transaction.objectStore("endings").get(key)) ?? undefined;
    if (known) return;
    await outbox.put(entry);
    if (replaced !== undefined) await outbox.delete(replaced);
  });
}

export function remove(...keys: string[]): Promise<void> {
  return transact("readwrite", async (transaction) => {
    for (const key of keys) await transaction.objectStore("outbox").delete(key);
  });
}

/** Notes that the server will not take it; one that was deleted meanwhile stays deleted. */
export function markRefused(key: string, refusal: Refusal): Promise<void> {
  return transact("readwrite", async (transaction) => {
    const outbox = transaction.objectStore("outbox");
    const entry = await outbox.get(key);
    if (entry) await outbox.put({ ...entry, refusal });
  });
}

/** Deletes the entry and leaves how it ended. */
export function end(ending: Ending): Promise<void> {
  return transact("readwrite", async (transaction) => {
    await transaction.objectStore("outbox").delete(ending.idempotencyKey);
    await transaction.objectStore("endings").put(ending);
  });
}

export function forgetEnding(key: string): Promise<void> {
  return transact("readwrite", (transaction) => transaction.objectStore("endings").delete(key));
}

/** Everything that is kept, the oldest first. */
export function list(): Promise<{ entries: OutboxEntry[]; endings: Ending[] }> {
  return transact("readonly", async (transaction) => {
    const entries = await transaction.objectStore("outbox").getAll();
    const endings = await transaction.objectStore("endings").getAll();
    return { entries: entries.sort((a, b) => a.keptAt - b.keptAt), endings };
  });
}

type Work<Mode extends IDBTransactionMode, Result> = (
  transaction: Transaction<Mode>,
) => Promise<Result>;

async function transact<Mode extends "readonly" | "readwrite", Result>(
  mode: Mode,
  work: Work<Mode, Result>,
): Promise<Result> {
  // Inside an async function: some browsers throw instead of answering.
  const fresh = open().then((database) => workOn(database, mode, work));
  return inTime(fresh, BLOCKED_AFTER_MS);
}

function open(): Promise<IDBPDatabase<Schema>> {
  return openDB<Schema>(DATABASE, VERSION, {
    upgrade(fresh) {
      fresh.createObjectStore("outbox", { keyPath: "idempotencyKey" });
      fresh.createObjectStore("endings", { keyPath: "idempotencyKey" });
    },
    blocking: (_version, _wanted, { target }) => {
      if (target instanceof IDBDatabase) target.close();
    },
  });
}

async function workOn<Mode extends "readonly" | "readwrite", Result>(
  database: IDBPDatabase<Schema>,
  mode: Mode,
  work: Work<Mode, Result>,
): Promise<Result> {
  try {
    const transaction = database.transaction(STORES, mode, { durability: "strict" });
    const [result] = await Promise.all([work(transaction), transaction.done]);
    return result;
  } finally {
    database.close();
  }
}
