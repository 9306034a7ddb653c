/** A copy of a SQLite database: how it is made, checked and changed. */
import { basename } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Kysely, type Transaction } from "kysely";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { sqliteDialect } from "#lib/storage/sqlite/driver.ts";
import { asStorageFault } from "#lib/storage/sqlite/errors.ts";
import type { Tables } from "#lib/storage/tables.ts";

/** How long another process may hold the lock. */
const LOCK_WAIT_MS = 2_000;

/**
 * Copies a database as it is at one moment, also while the site writes to it, journal included, and without what was
 * deleted before. Returns the numbers of the applications that must be in the copy.
 */
export function copyDatabase(databaseFile: string, target: string): unknown[] {
  using source = new DatabaseSync(databaseFile, { timeout: LOCK_WAIT_MS, readOnly: true });
  const before = numbersIn(source);
  source.prepare("VACUUM INTO ?").run(target);
  const after = new Set(numbersIn(source));
  // What came in meanwhile may be missing, and what was deleted meanwhile may be there.
  return before.filter((applicationId) => after.has(applicationId));
}

/** Checks that a copy is sound and holds these applications; returns how many it holds. @throws StorageUnavailable */
export function checkCopy(file: string, expected: readonly unknown[]): number {
  using copy = new DatabaseSync(file, { readOnly: true });
  const { integrity_check: finding } = copy.prepare("PRAGMA integrity_check(1)").get() ?? {};
  const numbers = new Set(numbersIn(copy));
  const missing = expected.filter((applicationId) => !numbers.has(applicationId));
  if (finding === "ok" && missing.length === 0) return numbers.size;
  throw new StorageUnavailable(
    `The copy is not sound: integrity check "${finding}", ${missing.length} applications missing. Check the disk.`,
    "corrupt",
  );
}

/** The numbers of the applications that have a job beside them, as every application must. */
function numbersIn(database: DatabaseSync): unknown[] {
  return database
    .prepare("SELECT application_id FROM applications JOIN jobs USING (application_id)")
    .all()
    .map((row) => row.application_id);
}

/** Runs work in one write transaction on a file that no site has open, such as a copy. */
export async function inCopy<Result>(
  file: string,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  using connection = new DatabaseSync(file);
  connection.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON");
  const kysely = new Kysely<Tables>({ dialect: sqliteDialect(connection, basename(file)) });
  return await kysely.transaction().execute(work);
}

/**
 * Runs work in one transaction on a database, with its journal copied into it, while no other process has it open
 * or can write to it. @throws StorageUnavailable `locked` where one has it open.
 */
export async function whileAlone<Result>(
  file: string,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  try {
    using connection = new DatabaseSync(file, { timeout: LOCK_WAIT_MS });
    // SQLite leaves WAL mode only for the one process that has the file open.
    connection.exec("PRAGMA journal_mode = DELETE");
  } catch (error) {
    throw asStorageFault(error, basename(file));
  }
  return inCopy(file, work);
}
