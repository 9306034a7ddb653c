import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#lib/storage/tables.ts";

/** Write transactions under one lock run one after another, in all processes that have the database open. */
export type WriteLock = "migrations" | "intake" | "deliveries";

/** An open SQLite or PostgreSQL database. Its methods reject with StorageUnavailable while it cannot be used. */
export interface Database {
  /**
   * Runs work in one write transaction; when this resolves, the work is on disk. The work may run again after a
   * rollback. Work that decides by what it has read needs a lock.
   */
  write<Result>(
    work: (transaction: Transaction<Tables>) => Promise<Result>,
    lock?: WriteLock,
  ): Promise<Result>;
  /** Runs queries that change nothing. */
  read<Result>(work: (database: Kysely<Tables>) => Promise<Result>): Promise<Result>;
  /** Removes deleted rows from the journal too; false while another process still reads it. */
  purgeJournal(): Promise<boolean>;
  /**
   * True when this call acquired the lock, so that the previous worker's process has ended. A process holds the lock
   * until its database is closed. Always false where the database cannot tell.
   */
  acquireWorkerLock(): boolean;
  /** The common clock of all servers on this database, ms since the epoch. */
  now(): number;
  close(): Promise<void>;
}

/** `isReopening`: this process has had the database open before, so a lost one must not be created again. */
export type OpenDatabase = (isReopening: boolean) => Promise<Database>;

/** Differences between the databases in the SQL that defines the tables. */
export interface Dialect {
  /** The database's own clock, in ms since the epoch. */
  clock: string;
  /** The type of an id column: the database counts it up and never gives a number twice. */
  identity: string;
  /** A statement that makes a new table continue the ids of an earlier one. */
  continueIds: (from: string, to: string) => string;
}
