import type { Db, Trx } from "#lib/storage/tables.ts";

/** Write transactions under the same lock run one after another, in all processes. */
export type WriteLock = "migrations" | "intake" | "deliveries";

/** An open SQLite or PostgreSQL database. Methods reject with StorageUnavailable while the database cannot be used. */
export interface Database {
  /**
   * Runs work in one write transaction. When the promise resolves, the changes are on disk. After a rollback the work
   * may run again. Work whose writes depend on its reads needs a lock.
   */
  write<Result>(work: (trx: Trx) => Promise<Result>, lock?: WriteLock): Promise<Result>;
  read<Result>(work: (db: Db) => Promise<Result>): Promise<Result>;
  /** Removes deleted rows from the journal too. Resolves to false while another process reads the journal. */
  eraseDeletedRows(): Promise<boolean>;
  /** A clock that all servers on this database share, ms since the epoch. */
  now(): number;
  close(): Promise<void>;
}

export interface LeaseRequest {
  holder: string;
  /** True if a configured channel can reach the owner. */
  hasChannel: boolean;
}

/** The right to send, which one worker has at a time, across all processes on one database. */
export interface Lease {
  /** `acquired`: the holder is new, so the previous worker may have left messages of unknown outcome. */
  acquire(request: LeaseRequest): Promise<"acquired" | "kept" | "held-by-another">;
  /** Asked in each transaction of `asHolder`, so that a worker without the lease plans, sends and records nothing. */
  isHeldBy(trx: Trx, holder: string): Promise<boolean>;
  release(holder: string): Promise<void>;
}

/** `isReopening`: this process has had the database open, so a missing database must not be created. */
export type DatabaseOpener = (isReopening: boolean) => Promise<Database>;

/**
 * `expect`: the tables must have this program's version. Commands use it, because the site of another version may be
 * running on the database. `create`: an empty database also gets its tables. `migrate`: older tables are also changed,
 * which only the server does.
 */
export type TablesMode = "expect" | "create" | "migrate";

export interface OpenOptions {
  tables?: TablesMode;
  /** Called in the transaction that changes older tables, before the first change. */
  beforeMigration?: (() => Promise<void>) | undefined;
  isReopening?: boolean;
}

/** SQL in which the databases differ. */
export interface SqlDialect {
  idColumn: string;
  /** Statements for tables that only this database needs. */
  extraTables: readonly string[];
}
