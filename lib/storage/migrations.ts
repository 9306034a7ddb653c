/** The steps that build the tables. A released step is never changed; a change is a new step. */
import type { Database, Dialect } from "#lib/storage/database.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { createFirstTables } from "#lib/storage/migrations/0001-first-tables.ts";
import { renameToGlossaryTerms } from "#lib/storage/migrations/0002-glossary-terms.ts";
import { indexDueJobs } from "#lib/storage/migrations/0003-due-jobs.ts";
import type { Trx } from "#lib/storage/tables.ts";

/** Step n leads from version n to n + 1. */
export const migrations = [createFirstTables, renameToGlossaryTerms, indexDueJobs];

/** All steps are one transaction. @throws StorageUnavailable for the tables of a newer program */
export async function migrate(database: Database, dialect: Dialect, steps = migrations) {
  await database.write(async (transaction) => {
    const version = await readVersion(transaction);
    if (version > steps.length) throw newerSchemaError(version, steps.length);
    // Nothing is written, so that the database can be opened even on a full disk.
    if (version === steps.length) return;
    for (const step of steps.slice(version)) await step(transaction, dialect);
    await transaction.updateTable("schemaVersion").set({ version: steps.length }).execute();
  }, "migrations");
}

export function newerSchemaError(version: number, known: number): StorageUnavailable {
  return new StorageUnavailable(
    `The database has version ${version} of the tables, this program knows only ${known}: start the newer program again, or restore a backup from before the upgrade.`,
    "newer-schema",
  );
}

async function readVersion(transaction: Trx): Promise<number> {
  await transaction.schema
    .createTable("schema_version")
    .ifNotExists()
    .addColumn("version", "integer", (column) => column.notNull())
    .execute();
  const row = await transaction.selectFrom("schemaVersion").select("version").executeTakeFirst();
  if (row) return row.version;
  await transaction.insertInto("schemaVersion").values({ version: 0 }).execute();
  return 0;
}
