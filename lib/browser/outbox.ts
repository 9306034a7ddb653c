/**
 * The outbox on the visitor's device: applications that the server has not acknowledged, in IndexedDB.
 * Every operation opens a fresh handle (Safari can kill one that is kept) and is one transaction.
 * An entry leaves by a validated receipt, by the visitor's hand, or after seven days; by nothing else.
 */
import type { DBSchema, IDBPTransaction } from "idb";
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

/** Loads the library while there is still a network, so that going offline does not keep it away. */
export function prepareOutbox(): void {
  import("idb").catch(() => {
    // Asked for again when it is needed; whoever needs it then hears of the failure.
  });
}

/** False only when nothing can be kept here: asks without loading the library or making a database. */
export async function mayHoldEntries(): Promise<boolean> {
  if (typeof indexedDB === "undefined") return false;
  if (typeof indexedDB.databases !== "function") return true;
  try {
    const databases = await orBlocked(indexedDB.databases());
    return databases.some(({ name }) => name === DATABASE);
  } catch {
    return true;
  }
}

/** Writes an entry, in place of the one that it corrects. @throws when the browser cannot keep it. */
export function keep(entry: OutboxEntry, replaced?: string): Promise<void> {
  return transact("readwrite", async (transaction) => {
    const outbox = transaction.objectStore("outbox");
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

function transact<Mode extends "readonly" | "readwrite", Result>(
  mode: Mode,
  work: (transaction: Transaction<Mode>) => Promise<Result>,
): Promise<Result> {
  return orBlocked(openAndDo(mode, work));
}

async function orBlocked<Result>(answer: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const blocked = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("IndexedDB does not answer")), BLOCKED_AFTER_MS);
  });
  try {
    return await Promise.race([answer, blocked]);
  } finally {
    clearTimeout(timer);
  }
}

async function openAndDo<Mode extends "readonly" | "readwrite", Result>(
  mode: Mode,
  work: (transaction: Transaction<Mode>) => Promise<Result>,
): Promise<Result> {
  const { openDB } = await import("idb");
  const database = await openDB<Schema>(DATABASE, VERSION, {
    upgrade(fresh) {
      fresh.createObjectStore("outbox", { keyPath: "idempotencyKey" });
      fresh.createObjectStore("endings", { keyPath: "idempotencyKey" });
    },
  });
  try {
    const transaction = database.transaction(STORES, mode, { durability: "strict" });
    const [result] = await Promise.all([work(transaction), transaction.done]);
    return result;
  } finally {
    database.close();
  }
}
