/** The tables as they were at the first release. The states are written out: a migration reads no code that changes. */
import { sql, type Transaction } from "kysely";
import type { ColumnKinds } from "#lib/storage/database.ts";
import type { Tables } from "#lib/storage/tables.ts";

export async function firstTables(
  transaction: Transaction<Tables>,
  kinds: ColumnKinds,
): Promise<void> {
  await createApplications(transaction);
  await createJobs(transaction, kinds);
  await createSends(transaction, kinds);
  await createWorker(transaction, kinds);
  await createUpkeep(transaction);
}

async function createApplications({ schema }: Transaction<Tables>): Promise<void> {
  await schema
    .createTable("applications")
    .addColumn("application_id", "text", (column) => column.primaryKey())
    .addColumn("route", "text", (column) => column.notNull())
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
    .addColumn("corrects", "text")
    .execute();
  // A repeat is looked for within a minute. By time, a new row goes to the end of the index; by content it
  // went anywhere, a page of its own to write for nearly every application.
  await schema
    .createIndex("applications_by_time")
    .on("applications")
    .column("submitted_at")
    .execute();
}

async function createJobs({ schema }: Transaction<Tables>, kinds: ColumnKinds): Promise<void> {
  await schema
    .createTable("jobs")
    .addColumn("id", "integer", kinds.identity)
    .addColumn("subject", "text", (column) => column.notNull().unique())
    .addColumn("application_id", "text", (column) =>
      column.unique().references("applications.application_id").onDelete("cascade"),
    )
    .addColumn("first", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) =>
      column.notNull().check(sql`state in ('open', 'filed', 'done', 'given-up')`),
    )
    .addColumn("next_at", "bigint", (column) => column.notNull())
    .addColumn("tries", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("retry_at", "bigint", (column) => column.notNull())
    .addColumn("digest", "integer", (column) => column.references("jobs.id").onDelete("set null"))
    .addColumn("payload", "text")
    .addColumn("raised_at", "bigint", (column) => column.notNull())
    .addColumn("sends_after", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("repeats", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("settled_at", "bigint")
    .execute();
  await schema.createIndex("jobs_by_state").on("jobs").columns(["state", "next_at"]).execute();
  // Hardly any job is about something else, or part of a digest.
  await schema
    .createIndex("jobs_of_notices")
    .on("jobs")
    .column("id")
    .where(sql.ref("application_id"), "is", null)
    .execute();
  await schema
    .createIndex("jobs_by_digest")
    .on("jobs")
    .column("digest")
    .where("digest", "is not", null)
    .execute();
}

async function createSends({ schema }: Transaction<Tables>, kinds: ColumnKinds): Promise<void> {
  await schema
    .createTable("sends")
    .addColumn("id", "integer", kinds.identity)
    .addColumn("job_id", "integer", (column) => column.references("jobs.id").onDelete("set null"))
    .addColumn("carrier", "text", (column) => column.notNull())
    .addColumn("recipient", "text", (column) => column.notNull())
    .addColumn("outcome", "text", (column) =>
      column
        .notNull()
        .check(
          sql`outcome in ('leaving', 'unsent', 'unknown', 'accepted', 'delivered', 'refused')`,
        ),
    )
    .addColumn("segments", "integer", (column) => column.notNull())
    .addColumn("provider_id", "text")
    .addColumn("begun_at", "bigint", (column) => column.notNull())
    .addColumn("ended_at", "bigint")
    .addColumn("error", "text")
    .addColumn("advice", "text")
    .addColumn("about", "text")
    .addColumn("not_before", "bigint")
    .execute();
  await schema.createIndex("sends_by_job").on("sends").column("job_id").execute();
  await schema
    .createIndex("sends_by_outcome")
    .on("sends")
    .columns(["carrier", "outcome", "id"])
    .execute();
  await schema
    .createIndex("sends_by_fault")
    .on("sends")
    .columns(["carrier", "about", "id"])
    .where("about", "is not", null)
    .execute();
  await schema
    .createIndex("sends_by_charge")
    .on("sends")
    .columns(["begun_at", "segments"])
    .where("segments", ">", 0)
    .execute();
}

async function createWorker({ schema }: Transaction<Tables>, kinds: ColumnKinds): Promise<void> {
  await schema
    .createTable("worker")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("holder", "text", (column) => column.notNull())
    .addColumn("seen_at", "bigint", (column) => column.notNull())
    .execute();
  await schema.createView("database_clock").as(kinds.clock).execute();
}

async function createUpkeep({ schema }: Transaction<Tables>): Promise<void> {
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
}
