import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { log } from "#lib/log.ts";
import type { Database, OpenOptions, SqlDialect, TablesMode } from "#lib/storage/database.ts";
import { fileError, StorageUnavailable } from "#lib/storage/errors.ts";
import { migrations, prepareTables, schemaVersionError } from "#lib/storage/migrations.ts";
import { kyselyDialect } from "#lib/storage/sqlite/driver.ts";
import { translateSqliteError } from "#lib/storage/sqlite/errors.ts";
import {
  createPrivateFile,
  createSameFileCheck,
  fileSize,
  lostDatabaseError,
  makeFolder,
  markerPath,
  writeMarker,
} from "#lib/storage/sqlite/file.ts";
import {
  hasTables,
  refuseForeignDatabase,
  writeSqliteApplicationId,
} from "#lib/storage/sqlite/foreign.ts";
import { openKysely } from "#lib/storage/tables.ts";

/** SQLite's own wait for a lock is short, because it blocks the event loop. */
const BUSY_TIMEOUT_MS = 20;
/** The event loop runs during this pause before a lock is requested again. */
const LOCK_PAUSE_MS = 30;
/** After these tries, about 2 s, the store is unavailable. A clock would also count a suspended machine's sleep. */
const LOCK_TRIES = 40;

export const SQLITE_DIALECT: SqlDialect = {
  idColumn: "primary key autoincrement",
  extraTables: [],
};

/**
 * `synchronous = FULL`: a commit is on disk before it returns; with NORMAL, a power cut in WAL mode loses the latest
 * commits. `secure_delete`: deleted content is overwritten. `wal_autocheckpoint`: the journal grows to 48 MB before
 * SQLite copies the journal into the database. `cache_size`: 8 MB. Node itself turns foreign keys on.
 */
const PRAGMAS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA secure_delete = ON;
  PRAGMA wal_autocheckpoint = 12000;
  PRAGMA cache_size = -8000;
`;

/** @throws StorageUnavailable; an existing file is never replaced */
export async function openSqlite(file: string, options: OpenOptions = {}): Promise<Database> {
  const { tables = "expect", isReopening = false } = options;
  const fileName = basename(file);
  const connection = await retryWhileLocked(fileName, async () => {
    // The marker is read before the tables, because a process that creates a database writes the marker last.
    const wasCreated = isReopening || existsSync(markerPath(file));
    if (wasCreated && fileSize(file) === 0)
      throw lostDatabaseError(file, existsSync(file) ? "is empty" : "is missing");
    // A command creates no database. This one is missing, or a first start of the site ended before its first table.
    if (tables === "expect" && fileSize(file) === 0) throw schemaVersionError(0, migrations.length);
    makeFolder(dirname(file));
    createPrivateFile(file);
    return connect(file, wasCreated, tables);
  });
  const database = sqliteDatabase(connection, file);
  try {
    await prepareTables(database, SQLITE_DIALECT, options);
    await retryWhileLocked(fileName, () => writeMarker(file));
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

function connect(file: string, wasCreated: boolean, tables: TablesMode): DatabaseSync {
  const connection = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    refuseForeignDatabase(connection, basename(file));
    const isEmpty = !hasTables(connection);
    // A deleted journal can leave a database without tables.
    if (isEmpty && wasCreated) throw lostDatabaseError(file, "has no tables");
    if (isEmpty && tables === "expect") throw schemaVersionError(0, migrations.length);
    if (isEmpty) writeSqliteApplicationId(connection);
    connection.exec(PRAGMAS);
    // A query finds damage only in the pages that it reads, so each opening checks the whole file.
    const { quick_check: finding } = connection.prepare("PRAGMA quick_check(1)").get() ?? {};
    if (finding !== "ok") throw fileError(basename(file), "corrupt", "quick check");
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function sqliteDatabase(connection: DatabaseSync, file: string): Database {
  const fileName = basename(file);
  const assertSameFile = createSameFileCheck(file);
  const kysely = openKysely(kyselyDialect(connection, fileName));
  /** Refuses work if the file was moved or deleted: writes would succeed, and be lost with the process. */
  async function runInPlace<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      assertSameFile();
      return await retryWhileLocked(fileName, work);
    } catch (error) {
      if (error instanceof StorageUnavailable && error.reason === "missing") await saveJournal();
      throw error;
    }
  }
  /** Copies a deleted journal, which only this connection still has open, into the database. */
  async function saveJournal(): Promise<void> {
    await sql`PRAGMA wal_checkpoint(FULL)`.execute(kysely).catch((err: unknown) => {
      log.error({ err }, "saving the journal failed, trying again at the next use");
    });
  }
  /** Returns false, without an error, while another process reads the journal or writes to it. */
  async function truncateJournal(): Promise<boolean> {
    const { rows } = await sql<{ busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`.execute(kysely);
    return rows[0]?.busy === 0;
  }
  return {
    write: (work) =>
      runInPlace(() =>
        kysely.transaction().execute(async (transaction) => {
          const result = await work(transaction);
          assertSameFile();
          return result;
        }),
      ),
    read: (work) => runInPlace(() => work(kysely)),
    // All processes on one file share the host's clock.
    now: () => Date.now(),
    async eraseDeletedRows() {
      for (let tries = 1; ; tries++) {
        const isPurged = await retryWhileLocked(fileName, truncateJournal);
        if (isPurged || tries === LOCK_TRIES) return isPurged;
        await pause(LOCK_PAUSE_MS);
      }
    },
    // Waiting for Kysely's one connection lets a running transaction end first.
    close: () =>
      kysely.connection().execute(async () => {
        if (connection.isOpen) connection.close();
      }),
  };
}

async function retryWhileLocked<Result>(
  fileName: string,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const fault = translateSqliteError(error, fileName);
      const isLocked = fault instanceof StorageUnavailable && fault.reason === "locked";
      if (!isLocked || tries === LOCK_TRIES) throw fault;
    }
    await pause(LOCK_PAUSE_MS);
  }
}
