/** The tables, built up step by step. A step that has been released is never changed; a new one is added. */
import type { Transaction } from "kysely";
import type { Database, Dialect } from "#lib/storage/database.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { firstTables } from "#lib/storage/migrations/0001-first-tables.ts";
import type { Tables } from "#lib/storage/tables.ts";

type Migration = (transaction: Transaction<Tables>, dialect: Dialect) => Promise<void>;

/** Migration n leads from version n to version n + 1. */
export const migrations: readonly Migration[] = [firstTables];

/**
 * Brings the tables up to date, each step in a transaction of its own.
 * @throws StorageUnavailable when a newer program has already changed them further.
 */
export async function migrate(
  database: Database,
  dialect: Dialect,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  let version = await database.write(readVersion, "migrations");
  while (version < steps.length) {
    version = await database.write(async (transaction) => {
      // Another process may have taken this step since.
      const current = await readVersion(transaction);
      const step = steps[current];
      if (step === undefined) return current;
      await step(transaction, dialect);
      await transaction
        .updateTable("schema_version")
        .set({ version: current + 1 })
        .execute();
      return current + 1;
    }, "migrations");
  }
  if (version > steps.length) throw newerSchema(version, steps.length);
}

/** The refusal to work on tables that a newer program has changed. */
export function newerSchema(version: number, known: number): StorageUnavailable {
  return new StorageUnavailable(
    `The database has version ${version} of the tables, this program knows only ${known}: start the newer program again, or restore a backup from before the upgrade.`,
    "newer-schema",
  );
}

async function readVersion(transaction: Transaction<Tables>): Promise<number> {
  await transaction.schema
    .createTable("schema_version")
    .ifNotExists()
    .addColumn("version", "integer", (column) => column.notNull())
    .execute();
  const row = await transaction.selectFrom("schema_version").select("version").executeTakeFirst();
  if (row) return row.version;
  await transaction.insertInto("schema_version").values({ version: 0 }).execute();
  return 0;
}
