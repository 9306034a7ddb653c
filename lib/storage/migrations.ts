/** The tables, built up step by step. A step that has been released is never changed; a new one is added. */
import { sql, type Transaction } from "kysely";
import type { ColumnKinds, Database } from "#lib/storage/database.ts";
import { followDeliveries } from "#lib/storage/queries/follow-deliveries.ts";
import { StorageUnavailable } from "#lib/storage/store.ts";
import type { Tables } from "#lib/storage/tables.ts";

type Migration = (transaction: Transaction<Tables>, kinds: ColumnKinds) => Promise<void>;

/** Migration n leads from version n to version n + 1. */
export const migrations: readonly Migration[] = [
  createTables,
  followDeliveries,
  addSuspicion,
  addOwnersWord,
  shareBetweenInstances,
  lightenIndexes,
];

/**
 * Brings the tables up to date, each step in a transaction of its own.
 * @throws StorageUnavailable when a newer program has already changed them further.
 */
export async function migrate(
  database: Database,
  kinds: ColumnKinds,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  let version = await database.write(readVersion, "migrations");
  while (version < steps.length) {
    version = await database.write(async (transaction) => {
      // Another process may have taken this step since.
      const current = await readVersion(transaction);
      const step = steps[current];
      if (step === undefined) return current;
      await step(transaction, kinds);
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

async function createTables(transaction: Transaction<Tables>, kinds: ColumnKinds): Promise<void> {
  const { schema } = transaction;
  await schema
    .createTable("applications")
    .addColumn("application_id", "text", (column) => column.primaryKey())
    .addColumn("channel", "text", (column) => column.notNull())
    .addColumn("submitted_at", "bigint", (column) => column.notNull())
    .addColumn("content_hash", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("phone", "text", (column) => column.notNull())
    .addColumn("gender", "text", (column) => column.notNull())
    .addColumn("age", "integer", (column) => column.notNull())
    .addColumn("region", "text", (column) => column.notNull())
    .addColumn("preferred_date", "text", (column) => column.notNull())
    .addColumn("day_type", "text", (column) => column.notNull())
    .addColumn("time_slot", "text", (column) => column.notNull())
    .addColumn("car_type", "text", (column) => column.notNull())
    .addColumn("message", "text", (column) => column.notNull())
    .execute();
  await schema
    .createIndex("applications_by_content")
    .on("applications")
    .columns(["content_hash", "submitted_at"])
    .execute();

  await schema
    .createTable("deliveries")
    .addColumn("id", "integer", kinds.identity)
    .addColumn("application_id", "text", (column) =>
      column.notNull().unique().references("applications.application_id").onDelete("cascade"),
    )
    .addColumn("state", "text", (column) =>
      column.notNull().check(sql`state in ('waiting', 'leased', 'delivered', 'needs-owner')`),
    )
    .addColumn("attempts", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("last_error", "text")
    .addColumn("next_attempt_at", "bigint", (column) => column.notNull())
    .addColumn("lease_until", "bigint")
    .addColumn("fence", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("carrier", "text")
    .addColumn("provider_id", "text")
    .addColumn("settled_at", "bigint")
    .execute();
  await schema
    .createIndex("deliveries_by_state")
    .on("deliveries")
    .columns(["state", "next_attempt_at"])
    .execute();

  await schema
    .createTable("idempotency_keys")
    .addColumn("idempotency_key", "text", (column) => column.primaryKey())
    .addColumn("content_hash", "text", (column) => column.notNull())
    .addColumn("application_id", "text", (column) => column.notNull())
    .addColumn("submitted_at", "bigint", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await schema
    .createIndex("idempotency_keys_by_age")
    .on("idempotency_keys")
    .column("created_at")
    .execute();

  await schema
    .createTable("checks")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("checked_at", "bigint", (column) => column.notNull())
    .addColumn("filler", "text", (column) => column.notNull())
    .execute();
}

/** Why an application looks automated; null on those from before. */
async function addSuspicion(transaction: Transaction<Tables>): Promise<void> {
  await transaction.schema.alterTable("applications").addColumn("suspicion", "text").execute();
}

/** What the owner reads of a fault, and how often the owner has had an application sent once more. */
async function addOwnersWord(transaction: Transaction<Tables>): Promise<void> {
  const { schema } = transaction;
  await schema.alterTable("deliveries").addColumn("last_advice", "text").execute();
  await schema
    .alterTable("deliveries")
    .addColumn("repeats", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
}

/** What instances on one PostgreSQL must know of each other; a site on SQLite has it in memory. */
async function shareBetweenInstances({ schema }: Transaction<Tables>): Promise<void> {
  // The columns and their order are those of rate-limiter-flexible.
  await schema
    .createTable("rate_limits")
    .addColumn("key", "varchar(255)", (column) => column.primaryKey())
    .addColumn("points", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("expire", "bigint")
    .execute();
  await schema
    .createTable("form_results")
    .addColumn("token_hash", "text", (column) => column.primaryKey())
    .addColumn("sealed", "text", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute();
}

/**
 * Indexes that cost little to keep. A twin is looked for within a minute: by time, a new row goes to the end of
 * the index; by content it went anywhere, a page of its own to write for nearly every application. And hardly
 * any delivery is part of a digest.
 */
async function lightenIndexes({ schema }: Transaction<Tables>): Promise<void> {
  await schema.dropIndex("applications_by_content").execute();
  await schema
    .createIndex("applications_by_time")
    .on("applications")
    .column("submitted_at")
    .execute();
  await schema.dropIndex("deliveries_by_digest").execute();
  await schema
    .createIndex("deliveries_by_digest")
    .on("deliveries")
    .column("digest")
    .where("digest", "is not", null)
    .execute();
}
