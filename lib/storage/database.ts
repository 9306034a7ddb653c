import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#lib/storage/tables.ts";

/** Write transactions under one lock run one after another, in all processes that have the database open. */
export type WriteLock = "migrations" | "intake" | "deliveries";

/** One open database, whatever its make. Rejects with StorageUnavailable when it cannot be used now. */
export interface Database {
  /**
   * Runs work in one write transaction; when this resolves, the work is on disk. The work may run again after
   * a rollback. Where it decides by what it has read, it needs a lock.
   */
  write<Result>(
    work: (transaction: Transaction<Tables>) => Promise<Result>,
    lock?: WriteLock,
  ): Promise<Result>;
  /** Runs queries that change nothing. */
  read<Result>(work: (database: Kysely<Tables>) => Promise<Result>): Promise<Result>;
  /** Removes what was deleted from the journal too; false when that must wait. */
  purgeJournal(): Promise<boolean>;
  /**
   * True when acquired by this call: then the previous worker's process has ended. One living process holds the lock,
   * until its database is closed. Always false where the database cannot tell.
   */
  acquireWorkerLock(): boolean;
  /** The clock that all servers on this database go by, ms since the epoch. */
  now(): number;
  close(): Promise<void>;
}

/** `isReopening`: this process has had the database open, so that no new one is begun in its place. */
export type OpenDatabase = (isReopening: boolean) => Promise<Database>;

/** Differences between the databases in the SQL that defines the tables. */
export interface Dialect {
  /** The database's own clock, in ms since the epoch. */
  clock: string;
  /** A column's whole number that the database counts up by itself and never gives twice. */
  identity: string;
  /** The statement after which a new table gives no id that an earlier one has given. */
  continueIds: (from: string, to: string) => string;
}
