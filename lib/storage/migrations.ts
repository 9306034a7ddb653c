/** The steps that build the tables. A released step is never changed; a change is a new step. */
import { sql } from "kysely";
import type { Database, OpenOptions, SqlDialect } from "#lib/storage/database.ts";
import { StorageUnavailable, storageAdvice } from "#lib/storage/errors.ts";
import { createFirstTables } from "#lib/storage/migrations/0001-first-tables.ts";
import type { Db, Trx } from "#lib/storage/tables.ts";

/** Step n leads from version n to n + 1. */
export const migrations = [createFirstTables];

/** All steps are one transaction. @throws StorageUnavailable for tables of a version that the mode does not allow */
export async function prepareTables(
  database: Database,
  dialect: SqlDialect,
  { tables = "expect", beforeMigration }: OpenOptions,
  steps = migrations,
): Promise<void> {
  const known = steps.length;
  if (tables === "expect") {
    const version = await database.read(readSchemaVersion);
    if (version !== known) throw schemaVersionError(version, known);
    return;
  }
  await database.write(async (transaction) => {
    await createVersionTable(transaction);
    const version = await readSchemaVersion(transaction);
    // Nothing is written, so that the database can be opened even on a full disk.
    if (version === known) return;
    const mayChange = version === 0 || (version < known && tables === "migrate");
    if (!mayChange) throw schemaVersionError(version, known);
    if (version > 0) await beforeMigration?.();
    for (const step of steps.slice(version)) await step(transaction, dialect);
    await transaction.updateTable("schemaVersion").set({ version: known }).execute();
  }, "migrations");
}

export function schemaVersionError(version: number, known: number): StorageUnavailable {
  const reason = version > known ? "newer-schema" : "older-schema";
  const sentence = `${storageAdvice(reason, false)} (version ${version}, this program has ${known})`;
  return new StorageUnavailable(sentence, reason);
}

/** 0 before the first step. */
async function readSchemaVersion(db: Db): Promise<number> {
  const row = await db.selectFrom("schemaVersion").select("version").executeTakeFirst();
  return row?.version ?? 0;
}

async function createVersionTable(transaction: Trx): Promise<void> {
  await sql`create table if not exists schema_version (version integer not null)`.execute(
    transaction,
  );
  await sql`insert into schema_version select 0
    where not exists (select 1 from schema_version)`.execute(transaction);
}
