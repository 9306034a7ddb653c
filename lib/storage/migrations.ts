/** The tables, built up step by step. A step that has been released is never changed; a new one is added. */
import { randomUUID } from "node:crypto";
import { sql, type Transaction } from "kysely";
import type { ColumnKinds, Database } from "#lib/storage/database.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { Tables } from "#lib/storage/tables.ts";

type Migration = (transaction: Transaction<Tables>, kinds: ColumnKinds) => Promise<void>;

/** Migration n leads from version n to version n + 1. */
export const migrations: readonly Migration[] = [createTables];

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

/** The states are written out: a migration reads no code that changes later. */
async function createTables(transaction: Transaction<Tables>, kinds: ColumnKinds): Promise<void> {
  const { schema } = transaction;
  await schema
    .createTable("identity")
    .addColumn("id", "text", (column) => column.notNull())
    .execute();
  await transaction.insertInto("identity").values({ id: randomUUID() }).execute();

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
    .addColumn("suspicion", "text")
    .execute();
  // A repeat is looked for within a minute. By time, a new row goes to the end of the index; by content it
  // went anywhere, a page of its own to write for nearly every application.
  await schema
    .createIndex("applications_by_time")
    .on("applications")
    .column("submitted_at")
    .execute();

  await schema
    .createTable("deliveries")
    .addColumn("id", "integer", kinds.identity)
    .addColumn("application_id", "text", (column) =>
      column.notNull().unique().references("applications.application_id").onDelete("cascade"),
    )
    .addColumn("state", "text", (column) =>
      column
        .notNull()
        .check(
          sql`state in ('waiting', 'leased', 'sent', 'refused', 'unknown', 'filed', 'delivered', 'needs-owner')`,
        ),
    )
    .addColumn("attempts", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("last_error", "text")
    .addColumn("last_advice", "text")
    .addColumn("next_attempt_at", "bigint", (column) => column.notNull())
    .addColumn("lease_until", "bigint")
    .addColumn("fence", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("transport", "text")
    .addColumn("failing_since", "bigint")
    .addColumn("digest", "text")
    .addColumn("repeats", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("settled_at", "bigint")
    .execute();
  await schema
    .createIndex("deliveries_by_state")
    .on("deliveries")
    .columns(["state", "next_attempt_at"])
    .execute();
  // Hardly any delivery is part of a digest.
  await schema
    .createIndex("deliveries_by_digest")
    .on("deliveries")
    .column("digest")
    .where("digest", "is not", null)
    .execute();

  await schema
    .createTable("messages")
    .addColumn("delivery_id", "integer", (column) =>
      column.notNull().references("deliveries.id").onDelete("cascade"),
    )
    .addColumn("transport", "text", (column) => column.notNull())
    .addColumn("recipient", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) =>
      column
        .notNull()
        .check(sql`state in ('sending', 'unsent', 'unknown', 'sent', 'delivered', 'refused')`),
    )
    .addColumn("provider_id", "text")
    .addColumn("begun_at", "bigint", (column) => column.notNull())
    .addColumn("copies", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("charged_at", "bigint")
    .addPrimaryKeyConstraint("messages_key", ["delivery_id", "transport", "recipient"])
    .execute();
  await schema
    .createIndex("messages_by_charge")
    .on("messages")
    .columns(["transport", "charged_at"])
    .execute();

  await schema
    .createTable("channel_faults")
    .addColumn("channel", "text", (column) => column.primaryKey())
    .addColumn("since", "bigint", (column) => column.notNull())
    .addColumn("seen_at", "bigint", (column) => column.notNull())
    .addColumn("error", "text", (column) => column.notNull())
    .addColumn("advice", "text", (column) => column.notNull())
    .addColumn("refused", "integer", (column) => column.notNull())
    .execute();
  await schema
    .createTable("recipient_faults")
    .addColumn("channel", "text", (column) => column.notNull())
    .addColumn("recipient", "text", (column) => column.notNull())
    .addColumn("since", "bigint", (column) => column.notNull())
    .addColumn("error", "text", (column) => column.notNull())
    .addColumn("advice", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("recipient_faults_key", ["channel", "recipient"])
    .execute();
  await schema
    .createTable("alarms")
    .addColumn("subject", "text", (column) => column.primaryKey())
    .addColumn("told_at", "bigint")
    .addColumn("due_at", "bigint", (column) => column.notNull())
    .addColumn("texts", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("charged_at", "bigint")
    .execute();

  await schema
    .createTable("weekly_summaries")
    .addColumn("monday", "text", (column) => column.primaryKey())
    .addColumn("covers_from", "bigint", (column) => column.notNull())
    .addColumn("covers_until", "bigint", (column) => column.notNull())
    .addColumn("state", "text", (column) =>
      column.notNull().check(sql`state in ('waiting', 'sending', 'sent', 'unknown')`),
    )
    .addColumn("transport", "text")
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("next_attempt_at", "bigint", (column) => column.notNull())
    .addColumn("lease_until", "bigint")
    .addColumn("fence", "integer", (column) => column.notNull())
    .addColumn("texts", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("charged_at", "bigint")
    .addColumn("settled_at", "bigint")
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
    .createTable("notes")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("value", "text", (column) => column.notNull())
    .execute();

  // Written by rate-limits.ts, on PostgreSQL alone.
  await schema
    .createTable("rate_limits")
    .addColumn("key", "varchar(255)", (column) => column.primaryKey())
    .addColumn("points", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("expire", "bigint")
    .execute();
}
