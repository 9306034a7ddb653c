/**
 * The outbox's database on the visitor's device, in IndexedDB. Every operation is one transaction on a handle of
 * its own (Safari can kill one that is kept), and has a time limit: some browsers never answer.
 */
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from "idb";
import type { Ending, OutboxEntry } from "#lib/browser/outbox-entry.ts";
import { withTimeout } from "#lib/browser/with-timeout.ts";

export const DATABASE = "training-applications";
const VERSION = 1;
/** A database that has not answered by then is treated as blocked. */
const BLOCKED_AFTER_MS = 2_000;

interface Schema extends DBSchema {
  outbox: { key: string; value: OutboxEntry };
  endings: { key: string; value: Ending };
}
type Stores = ("outbox" | "endings")[];
const STORES: Stores = ["outbox", "endings"];
export type Work<Result> = (
  transaction: IDBPTransaction<Schema, Stores, "readwrite">,
) => Promise<Result>;

export type Database = IDBPDatabase<Schema>;

/** False only when the database holds nothing: asks without making one. */
export async function mayHoldEntries(): Promise<boolean> {
  if (typeof indexedDB === "undefined") return false;
  if (typeof indexedDB.databases !== "function") return true;
  try {
    const databases = await withTimeout(indexedDB.databases(), BLOCKED_AFTER_MS);
    return databases.some(({ name }) => name === DATABASE);
  } catch {
    return true;
  }
}

export async function succeeds<Result>(work: Work<Result>, how?: How): Promise<boolean> {
  try {
    await transact(work, how);
    return true;
  } catch {
    return false;
  }
}

interface How {
  /** A handle that was opened beforehand. */
  on?: Database;
  /** It may still take effect after the time limit. */
  mayBeLate?: boolean;
}

/** One transaction. @throws when it has not succeeded in time; it is aborted then. */
export async function transact<Result>(
  work: Work<Result>,
  { on, mayBeLate = false }: How = {},
): Promise<Result> {
  let transaction: Parameters<Work<Result>>[0] | undefined;
  let late = false;
  const run = async () => {
    const database = on ?? (await open());
    try {
      if (late) throw new Error("the database was opened too late");
      transaction = database.transaction(STORES, "readwrite", { durability: "strict" });
      const [result] = await Promise.all([work(transaction), transaction.done]);
      return result;
    } finally {
      database.close();
    }
  };
  try {
    return await withTimeout(run(), BLOCKED_AFTER_MS);
  } catch (error) {
    late = !mayBeLate;
    if (late) abort(transaction);
    throw error;
  }
}

function abort(transaction: { abort: () => void } | undefined): void {
  try {
    transaction?.abort();
  } catch {
    // It has ended, or is being committed.
  }
}

/** In an async function: some browsers throw instead of answering. */
export async function open(): Promise<Database> {
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
