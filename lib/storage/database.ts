import type { ColumnDefinitionBuilder, Kysely, RawBuilder, Transaction } from "kysely";
import { StorageUnavailable } from "#lib/storage/errors.ts";
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
  /** Runs work if no other process has this database open, as far as can be known. */
  whenAlone<Result>(work: () => Promise<Result>): Promise<Result | undefined>;
  /** Removes what was deleted from the journal too; false when another process was reading it just then. */
  purgeJournal(): Promise<boolean>;
  close(): Promise<void>;
}

export interface OpenedDatabase extends Database {
  /** Made with the database, and never changed: tells it from every other one. */
  readonly identity: string;
}

/** What differs between databases in the definition of the tables. */
export interface ColumnKinds {
  /** Selects the database's own clock as `now`, in ms since the epoch. */
  clock: RawBuilder<unknown>;
  /** A whole number that the database counts up by itself and never gives twice. */
  identity(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
}

/** What a database is like, for the doctor. */
export interface DatabaseState {
  /** How far the tables are behind this program; the next start brings them up to date. */
  stepsBehind: number;
  /** The latest application, ms since the epoch. */
  newestAt: number | undefined;
}

/**
 * The identity of the database that this process has had open. Only that one is opened again, and no new one is
 * created. `any`: the process has had one open, and does not know which.
 */
export type Known = string | undefined;

export const ANY_KNOWN = "any";

/** @throws StorageUnavailable when it is not the one that this process has had open. */
export function refuseOther(identity: string | undefined, known: Known): void {
  if (known === undefined) return;
  if (identity !== undefined && (known === ANY_KNOWN || known === identity)) return;
  throw new StorageUnavailable(
    "Another database lies in the place of the one that the site had open: put that one back, or restart the site if this is the right one.",
    "missing",
  );
}
