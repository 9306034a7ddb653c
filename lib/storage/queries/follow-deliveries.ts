/** Version 2 of the tables: deliveries are followed per recipient, and channels that fail are remembered. */
import { sql, type Transaction } from "kysely";
import type { ColumnKinds } from "#lib/storage/database.ts";
import { DELIVERY_STATES, DISPATCH_STATES } from "#lib/storage/states.ts";
import type { Tables } from "#lib/storage/tables.ts";

export async function followDeliveries(
  transaction: Transaction<Tables>,
  kinds: ColumnKinds,
): Promise<void> {
  await rebuildDeliveries(transaction, kinds);
  const { schema } = transaction;
  await schema
    .createTable("dispatches")
    .addColumn("delivery_id", "integer", (column) =>
      column.notNull().references("deliveries.id").onDelete("cascade"),
    )
    .addColumn("carrier", "text", (column) => column.notNull())
    .addColumn("recipient", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull().check(oneOf(DISPATCH_STATES)))
    .addColumn("provider_id", "text")
    .addColumn("begun_at", "bigint", (column) => column.notNull())
    .addColumn("charged_at", "bigint")
    .addPrimaryKeyConstraint("dispatches_key", ["delivery_id", "carrier", "recipient"])
    .execute();
  await schema
    .createIndex("dispatches_by_charge")
    .on("dispatches")
    .columns(["carrier", "charged_at"])
    .execute();

  await schema
    .createTable("channel_faults")
    .addColumn("channel", "text", (column) => column.primaryKey())
    .addColumn("since", "bigint", (column) => column.notNull())
    .addColumn("error", "text", (column) => column.notNull())
    .addColumn("advice", "text", (column) => column.notNull())
    .addColumn("refused", "integer", (column) => column.notNull())
    .execute();
  await schema
    .createTable("alarms")
    .addColumn("subject", "text", (column) => column.primaryKey())
    .addColumn("due_at", "bigint", (column) => column.notNull())
    .execute();
}

/** SQLite cannot change a check, so the table is made anew and takes the old one's place. */
async function rebuildDeliveries(
  transaction: Transaction<Tables>,
  kinds: ColumnKinds,
): Promise<void> {
  const { schema } = transaction;
  await schema
    .createTable("followed_deliveries")
    .addColumn("id", "integer", kinds.identity)
    .addColumn("application_id", "text", (column) =>
      column.notNull().unique().references("applications.application_id").onDelete("cascade"),
    )
    .addColumn("state", "text", (column) => column.notNull().check(oneOf(DELIVERY_STATES)))
    .addColumn("attempts", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("last_error", "text")
    .addColumn("next_attempt_at", "bigint", (column) => column.notNull())
    .addColumn("lease_until", "bigint")
    .addColumn("fence", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("carrier", "text")
    .addColumn("failing_since", "bigint")
    .addColumn("digest", "text")
    .addColumn("settled_at", "bigint")
    .execute();
  const kept = sql.raw(
    "id, application_id, state, attempts, last_error, next_attempt_at, lease_until, fence, carrier, settled_at",
  );
  await sql`insert into followed_deliveries (${kept}) select ${kept} from deliveries`.execute(
    transaction,
  );
  await schema.dropTable("deliveries").execute();
  await schema.alterTable("followed_deliveries").renameTo("deliveries").execute();
  await schema
    .createIndex("deliveries_by_state")
    .on("deliveries")
    .columns(["state", "next_attempt_at"])
    .execute();
  await schema.createIndex("deliveries_by_digest").on("deliveries").column("digest").execute();
}

function oneOf(states: readonly string[]) {
  return sql<boolean>`state in (${sql.join(states.map((state) => sql.lit(state)))})`;
}
