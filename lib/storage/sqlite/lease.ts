import { truncateSync } from "node:fs";
import { basename } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { log } from "#lib/log.ts";
import type { Database, Lease } from "#lib/storage/database.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { translateSqliteError } from "#lib/storage/sqlite/errors.ts";

/**
 * The lease of the processes on one SQLite file: a lock on an empty file beside it. The kernel releases the lock when
 * the process ends, also by a kill, and nothing is written. A process that is only suspended keeps the lock.
 */
export function createFileLease(file: string, database: Pick<Database, "read">): Lease {
  let current: { holder: string; lock: DatabaseSync } | undefined;
  let reported: string | undefined;

  /** Without this report, a worker that cannot open the file would wait in silence for another worker to end. */
  function report(error: unknown): void {
    const fault = translateSqliteError(error, basename(file));
    if (!(fault instanceof StorageUnavailable) || fault.reason === "locked") return;
    if (fault.message !== reported) log.error({ reason: fault.reason }, fault.message);
    reported = fault.message;
  }

  return {
    async acquire({ holder }) {
      if (current !== undefined) return current.holder === holder ? "kept" : "held-by-another";
      // The database is opened first, so that its folder exists.
      await database.read(async () => undefined);
      const lock = tryLockFile(file, report);
      if (lock === undefined) return "held-by-another";
      current = { holder, lock };
      return "acquired";
    },
    isHeldBy: async (_trx, holder) => current?.holder === holder,
    async release(holder) {
      if (current?.holder !== holder) return;
      current.lock.close();
      current = undefined;
    },
  };
}

/** SQLite's result for a file that is not a database. */
const NOT_A_DATABASE = 26;

/** The lock ends when it is closed. Undefined if another process has it, or the file cannot be opened. */
export function tryLockFile(
  file: string,
  onFault: (error: unknown) => void,
): DatabaseSync | undefined {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file, { timeout: 0 });
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock?.close();
    // SQLite reads the file only after locking it, so nobody has the lock of a file with foreign content.
    if (error instanceof Error && "errcode" in error && error.errcode === NOT_A_DATABASE)
      truncateSync(file);
    else onFault(error);
    return undefined;
  }
}
