/** Who holds a delivery: lease what is due, give back what a killed process held. */
import type { ExpressionBuilder, Kysely, Transaction } from "kysely";
import { type LeasedDelivery, MAX_WAIT_MS } from "#lib/application/delivery.ts";
import { type DeliveryState, DUE_STATES } from "#lib/application/delivery-states.ts";
import type { Channel } from "#lib/application/stored-application.ts";
import { storedApplication, withApplications } from "#lib/storage/queries/deliveries.ts";
import { messagesOf } from "#lib/storage/queries/messages.ts";
import type { Tables } from "#lib/storage/tables.ts";

/** Two workers' readings of one clock lie this close together, a wait for the lock included. */
const CLOCK_SLACK_MS = 60_000;
/** Rows in one condition: SQLite takes no deeper expression than 1,000, and a digest is leased whole. */
const MOST_IN_CONDITION = 200;

interface LeaseOptions {
  now: number;
  leaseMs: number;
  limit: number;
  only?: readonly number[];
  /** Those that go to this channel first, where both are configured. */
  queue?: Channel | undefined;
}

/**
 * Leases up to `limit` due deliveries, the oldest first; leases that have run out count as due.
 * A digest is leased whole. `only` names the deliveries that are asked for.
 */
export async function leaseDue(
  transaction: Transaction<Tables>,
  { now, leaseMs, limit, only, queue }: LeaseOptions,
): Promise<LeasedDelivery[]> {
  // By id first: after an outage thousands are due, and only these few are to be read and sorted whole.
  const first = transaction
    .selectFrom("deliveries")
    .select("deliveries.id")
    .where((expression) => isDue(expression, now, leaseMs))
    .$if(only !== undefined, (query) => query.where("deliveries.id", "in", only ?? []))
    .$if(queue !== undefined, (query) => query.where((expression) => isIn(queue, expression)))
    // Not by the key itself: PostgreSQL would go along it, through everything that was ever delivered.
    .orderBy(({ eb }) => eb("deliveries.id", "+", 0))
    .limit(limit);
  const due = await leasable(transaction).where("deliveries.id", "in", first).execute();
  const digests = due.map((row) => row.digest).filter((digest) => digest !== null);
  const others =
    digests.length === 0
      ? []
      : await leasable(transaction)
          .where("deliveries.digest", "in", digests)
          .where("deliveries.state", "in", DUE_STATES)
          .execute();
  const rows = [...new Map([...due, ...others].map((row) => [row.id, row])).values()];

  if (rows.length === 0) return [];

  const fences = new Map<number, number>();
  for (let from = 0; from < rows.length; from += MOST_IN_CONDITION) {
    const some = rows.slice(from, from + MOST_IN_CONDITION);
    const taken = await takeUnchanged(transaction, some, now + leaseMs);
    for (const { id, fence } of taken) fences.set(id, fence);
  }
  const messages = await messagesOf(transaction, [...fences.keys()]);
  return rows.flatMap((row) => {
    const fence = fences.get(row.id);
    if (fence === undefined) return [];
    return {
      ...storedApplication(row),
      repeats: row.repeats,
      deliveryId: row.id,
      fence,
      attempts: row.attempts,
      failingSince: row.failing_since ?? undefined,
      digest: row.digest ?? undefined,
      messages: messages.get(row.id) ?? [],
    };
  });
}

/** Takes what is still as it was read: where transactions run side by side, another worker may have leased or marked it. */
function takeUnchanged(
  transaction: Transaction<Tables>,
  rows: readonly { id: number; state: DeliveryState; fence: number }[],
  leaseUntil: number,
) {
  return transaction
    .updateTable("deliveries")
    .set((expression) => ({
      state: "leased",
      lease_until: leaseUntil,
      fence: expression("fence", "+", 1),
    }))
    .where(({ and, or }) => or(rows.map(({ id, state, fence }) => and({ id, state, fence }))))
    .returning(["id", "fence"])
    .execute();
}

/** Deliveries with their applications, the oldest first: after an outage they go out as they came in. */
function leasable(transaction: Transaction<Tables>) {
  return withApplications(transaction)
    .selectAll("applications")
    .select([
      "deliveries.id",
      "deliveries.state",
      "deliveries.fence",
      "deliveries.attempts",
      "deliveries.failing_since",
      "deliveries.digest",
      "deliveries.repeats",
    ])
    .orderBy("deliveries.id");
}

/** An application of the SMS form goes by text message, unless it looks automated or waits for a digest mail. */
function isIn(
  queue: Channel | undefined,
  { and, eb, exists, not, selectFrom }: ExpressionBuilder<Tables, "deliveries">,
) {
  const texted = and([
    eb("deliveries.digest", "is", null),
    exists(
      selectFrom("applications")
        .select("applications.application_id")
        .whereRef("applications.application_id", "=", "deliveries.application_id")
        .where("applications.channel", "=", "sms")
        .where("applications.suspicion", "is", null),
    ),
  ]);
  return queue === "sms" ? texted : not(texted);
}

/** Renews leases while their sends are under way; returns those that this worker still has. */
export async function renewLeases(
  transaction: Transaction<Tables>,
  leases: readonly Pick<LeasedDelivery, "deliveryId" | "fence">[],
  until: number,
): Promise<number[]> {
  const renewed: number[] = [];
  for (const { deliveryId, fence } of leases) {
    const { numUpdatedRows } = await transaction
      .updateTable("deliveries")
      .set({ lease_until: until })
      .where("id", "=", deliveryId)
      .where("state", "=", "leased")
      .where("fence", "=", fence)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 1n) renewed.push(deliveryId);
  }
  return renewed;
}

/** Due: waited long enough, or leased by a worker that did not come back. */
function isDue(
  { and, eb, or }: ExpressionBuilder<Tables, "deliveries">,
  now: number,
  leaseMs: number,
) {
  const waiting = eb("deliveries.state", "in", DUE_STATES);
  const leased = eb("deliveries.state", "=", "leased");
  return or([
    and([waiting, eb("deliveries.next_attempt_at", "<=", now)]),
    and([leased, eb("deliveries.lease_until", "<=", now)]),
    // Later than anything planned now could be: the clock has been set back since.
    and([waiting, eb("deliveries.next_attempt_at", ">", now + MAX_WAIT_MS + CLOCK_SLACK_MS)]),
    and([leased, eb("deliveries.lease_until", ">", now + leaseMs + CLOCK_SLACK_MS)]),
  ]);
}

/** When the next delivery falls due (a lease's end included), or undefined when nothing waits. */
export async function nextDueAt(
  database: Kysely<Tables>,
  queue?: Channel,
): Promise<number | undefined> {
  const row = await database
    .selectFrom("deliveries")
    .select(({ fn }) => [
      fn.min("next_attempt_at").filterWhere("state", "in", DUE_STATES).as("attempt"),
      fn.min("lease_until").filterWhere("state", "=", "leased").as("leaseEnd"),
    ])
    .where("state", "in", [...DUE_STATES, "leased"])
    .$if(queue !== undefined, (query) => query.where((expression) => isIn(queue, expression)))
    .executeTakeFirst();
  const times = [row?.attempt, row?.leaseEnd].filter((time) => typeof time === "number");
  return times.length === 0 ? undefined : Math.min(...times);
}

/** At start: what a killed process had leased is due at once; returns which deliveries. */
export async function releaseLeases(
  transaction: Transaction<Tables>,
  now: number,
): Promise<number[]> {
  const released = await transaction
    .updateTable("deliveries")
    .set({ state: "waiting", lease_until: null, next_attempt_at: now })
    .where("state", "=", "leased")
    .returning("id")
    .execute();
  return released.map(({ id }) => id);
}
