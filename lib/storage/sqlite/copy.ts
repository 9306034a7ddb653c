import { basename } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileError } from "#lib/storage/errors.ts";
import { kyselyDialect } from "#lib/storage/sqlite/driver.ts";
import { translateSqliteError } from "#lib/storage/sqlite/errors.ts";
import { openKysely, type Trx } from "#lib/storage/tables.ts";

const LOCK_WAIT_MS = 2_000;

/**
 * Copies a database with its journal as of one moment, even while the site writes to it, and checks the copy. Deleted
 * content is not copied, and the copy is not fsynced. Returns the number of applications. @throws StorageUnavailable
 */
export function copyDatabase(databaseFile: string, target: string): number {
  try {
    using source = new DatabaseSync(databaseFile, { timeout: LOCK_WAIT_MS, readOnly: true });
    source.prepare("VACUUM INTO ?").run(target);
    return verifyBackup(target);
  } catch (error) {
    throw translateSqliteError(error, basename(databaseFile));
  }
}

/** Returns the number of applications. @throws StorageUnavailable if the copy is damaged */
export function verifyBackup(file: string): number {
  using copy = new DatabaseSync(file, { readOnly: true });
  const { integrity_check: finding } = copy.prepare("PRAGMA integrity_check(1)").get() ?? {};
  if (finding !== "ok") throw fileError(basename(file), "corrupt", `integrity check: ${finding}`);
  return Number(copy.prepare("SELECT count(*) AS count FROM applications").get()?.count);
}

/** Undefined if the file is not a database of the site. */
export function readSchemaVersion(file: string): number | undefined {
  try {
    using database = new DatabaseSync(file, { readOnly: true });
    return Number(database.prepare("SELECT version FROM schema_version").get()?.version);
  } catch {
    return undefined;
  }
}

/**
 * Copies the journal into the database, and runs work while no site can open the database.
 * @throws StorageUnavailable `locked` if another process has the database open
 */
export async function runExclusively<Result>(file: string, work: (trx: Trx) => Promise<Result>) {
  try {
    using connection = new DatabaseSync(file, { timeout: LOCK_WAIT_MS });
    // SQLite leaves WAL mode only if no other process has the file open.
    connection.exec("PRAGMA journal_mode = DELETE");
  } catch (error) {
    throw translateSqliteError(error, basename(file));
  }
  using connection = new DatabaseSync(file, { timeout: LOCK_WAIT_MS });
  connection.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON");
  const db = openKysely(kyselyDialect(connection, basename(file)));
  return await db.transaction().execute(work);
}
