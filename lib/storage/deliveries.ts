/** The deliveries' queue: lease, mark, count. */
import type { ExpressionBuilder, Kysely, Transaction } from "kysely";
import {
  type AttemptResult,
  type DeliveryCounts,
  type LeasedDelivery,
  MAX_WAIT_MS,
  type StoredApplication,
} from "#lib/storage/store.ts";
import type { ApplicationsTable, Tables } from "#lib/storage/tables.ts";

/** Two workers' readings of one clock lie this close together, a wait for the lock included. */
const CLOCK_SLACK_MS = 60_000;

interface LeaseOptions {
  now: number;
  leaseMs: number;
  limit: number;
}

/** See Store.leaseDue. */
export async function leaseDue(
  transaction: Transaction<Tables>,
  { now, leaseMs, limit }: LeaseOptions,
): Promise<LeasedDelivery[]> {
  const due = await transaction
    .selectFrom("deliveries")
    .innerJoin("applications", "applications.application_id", "deliveries.application_id")
    .selectAll("applications")
    .select(["deliveries.id", "deliveries.fence", "deliveries.attempts"])
    .where((expression) => isDue(expression, now, leaseMs))
    .orderBy("deliveries.next_attempt_at")
    .orderBy("deliveries.id")
    .limit(limit)
    .execute();

  const leased: LeasedDelivery[] = [];
  for (const row of due) {
    const fence = row.fence + 1;
    // The old fence in the condition: where a database lets two workers read the same row, one gets it.
    const { numUpdatedRows } = await transaction
      .updateTable("deliveries")
      .set({ state: "leased", lease_until: now + leaseMs, fence })
      .where("id", "=", row.id)
      .where("fence", "=", row.fence)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows !== 1n) continue;
    leased.push({ ...storedApplication(row), deliveryId: row.id, fence, attempts: row.attempts });
  }
  return leased;
}

/** Due: waited long enough, or leased by a worker that did not come back. */
function isDue(
  { and, eb, or }: ExpressionBuilder<Tables, "deliveries">,
  now: number,
  leaseMs: number,
) {
  const waiting = eb("deliveries.state", "=", "waiting");
  const leased = eb("deliveries.state", "=", "leased");
  return or([
    and([waiting, eb("deliveries.next_attempt_at", "<=", now)]),
    and([leased, eb("deliveries.lease_until", "<=", now)]),
    // Later than anything planned now could be: the clock has been set back since.
    and([waiting, eb("deliveries.next_attempt_at", ">", now + MAX_WAIT_MS + CLOCK_SLACK_MS)]),
    and([leased, eb("deliveries.lease_until", ">", now + leaseMs + CLOCK_SLACK_MS)]),
  ]);
}

/** See Store.mark. */
export async function markDelivery(
  transaction: Transaction<Tables>,
  { deliveryId, fence }: Pick<LeasedDelivery, "deliveryId" | "fence">,
  result: AttemptResult,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("deliveries")
    .set((expression) => ({
      attempts: expression("attempts", "+", 1),
      lease_until: null,
      ...changesFor(result, now),
    }))
    .where("id", "=", deliveryId)
    .where("state", "=", "leased")
    .where("fence", "=", fence)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

function changesFor(result: AttemptResult, now: number) {
  switch (result.state) {
    case "delivered":
      return {
        state: result.state,
        carrier: result.carrier,
        provider_id: result.providerId ?? null,
        last_error: null,
        settled_at: now,
      };
    case "waiting":
      return {
        state: result.state,
        last_error: result.error,
        next_attempt_at: Math.min(result.nextAttemptAt, now + MAX_WAIT_MS),
      };
    case "needs-owner":
      return { state: result.state, last_error: result.error, settled_at: now };
  }
}

/** See Store.nextDueAt. */
export async function nextDueAt(database: Kysely<Tables>): Promise<number | undefined> {
  const row = await database
    .selectFrom("deliveries")
    .select(({ fn }) => [
      fn.min("next_attempt_at").filterWhere("state", "=", "waiting").as("attempt"),
      fn.min("lease_until").filterWhere("state", "=", "leased").as("leaseEnd"),
    ])
    .where("state", "in", ["waiting", "leased"])
    .executeTakeFirst();
  const times = [row?.attempt, row?.leaseEnd].filter((time) => typeof time === "number");
  return times.length === 0 ? undefined : Math.min(...times);
}

/** See Store.releaseLeases. */
export async function releaseLeases(
  transaction: Transaction<Tables>,
  now: number,
): Promise<number> {
  const { numUpdatedRows } = await transaction
    .updateTable("deliveries")
    .set({ state: "waiting", lease_until: null, next_attempt_at: now })
    .where("state", "=", "leased")
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** See Store.counts. */
export async function countDeliveries(database: Kysely<Tables>): Promise<DeliveryCounts> {
  const rows = await database
    .selectFrom("deliveries")
    .innerJoin("applications", "applications.application_id", "deliveries.application_id")
    .select(({ fn }) => [
      "deliveries.state",
      fn.countAll<number>().as("count"),
      fn.min("applications.submitted_at").as("oldest"),
    ])
    .groupBy("deliveries.state")
    .execute();
  const count = (state: string) => Number(rows.find((row) => row.state === state)?.count ?? 0);
  const oldest = rows
    .filter(({ state }) => state === "waiting" || state === "leased")
    .map((row) => row.oldest);
  return {
    waiting: count("waiting"),
    leased: count("leased"),
    delivered: count("delivered"),
    needsOwner: count("needs-owner"),
    oldestWaitingSince: oldest.length === 0 ? undefined : Math.min(...oldest),
  };
}

/** See Store.deleteDeliveredBefore; the deliveries go with their applications. */
export async function deleteDeliveredBefore(
  transaction: Transaction<Tables>,
  time: number,
): Promise<string[]> {
  const deleted = await transaction
    .deleteFrom("applications")
    .where("application_id", "in", (expression) =>
      expression
        .selectFrom("deliveries")
        .select("deliveries.application_id")
        .where("state", "=", "delivered")
        .where("settled_at", "<", time),
    )
    .returning("application_id")
    .execute();
  return deleted.map((row) => row.application_id);
}

function storedApplication(row: ApplicationsTable): StoredApplication {
  return {
    applicationId: row.application_id,
    channel: row.channel,
    submittedAt: row.submitted_at,
    application: {
      name: row.name,
      phone: row.phone,
      gender: row.gender,
      age: row.age,
      region: row.region,
      preferredDate: row.preferred_date,
      dayType: row.day_type,
      timeSlot: row.time_slot,
      carType: row.car_type,
      message: row.message,
    },
    suspicion: row.suspicion ?? undefined,
  };
}
