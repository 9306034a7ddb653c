/** What becomes of a delivery: mark, count, delete. */
import type { Kysely, Transaction } from "kysely";
import {
  type AttemptResult,
  type DeliveryCounts,
  type LeasedDelivery,
  MAX_WAIT_MS,
} from "#lib/application/delivery.ts";
import type { DeliveryState } from "#lib/application/delivery-states.ts";
import type { StoredApplication } from "#lib/application/stored-application.ts";
import { noteFaults } from "#lib/storage/queries/channel-faults.ts";
import { noteMessages } from "#lib/storage/queries/messages.ts";
import type { ApplicationsTable, Tables } from "#lib/storage/tables.ts";

/** Nobody has these yet, as far as we know. */
const PENDING: readonly DeliveryState[] = ["waiting", "leased", "refused", "unknown"];

/** Marks a leased delivery; false when another worker has leased it since. */
export async function markDelivery(
  transaction: Transaction<Tables>,
  { deliveryId, fence }: Pick<LeasedDelivery, "deliveryId" | "fence">,
  result: AttemptResult,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("deliveries")
    .set((expression) => ({
      attempts: expression("attempts", "+", countsAsFailed(result) ? 1 : 0),
      lease_until: null,
      digest: null,
      ...changesFor(result, now),
    }))
    .where("id", "=", deliveryId)
    .where("state", "=", "leased")
    .where("fence", "=", fence)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) return false;
  await noteMessages(transaction, deliveryId, result.messages ?? []);
  const { channels = [], recipients = [] } = result;
  await noteFaults(transaction, { channels, recipients }, now);
  return true;
}

function countsAsFailed(result: AttemptResult): boolean {
  return result.state === "needs-owner" || ("error" in result && result.failed !== false);
}

function changesFor(result: AttemptResult, now: number) {
  switch (result.state) {
    case "delivered":
      return {
        state: result.state,
        transport: result.transport,
        last_error: null,
        last_advice: null,
        failing_since: null,
        settled_at: now,
      };
    case "filed":
      return {
        state: result.state,
        transport: result.transport,
        last_error: null,
        last_advice: null,
        settled_at: now,
      };
    case "sent":
      return {
        state: result.state,
        next_attempt_at: Math.min(result.nextAttemptAt, now + MAX_WAIT_MS),
        failing_since: null,
      };
    case "waiting":
    case "refused":
    case "unknown":
      return {
        state: result.state,
        last_error: result.error,
        last_advice: result.advice ?? null,
        next_attempt_at: Math.min(result.nextAttemptAt, now + MAX_WAIT_MS),
        failing_since: result.failingSince ?? null,
        digest: result.digest ?? null,
      };
    case "needs-owner":
      return {
        state: result.state,
        last_error: result.error,
        last_advice: result.advice ?? null,
        settled_at: now,
      };
  }
}

/** Makes due what was written as a file, at a start with a channel configured. Returns how many. */
export async function releaseFiled(transaction: Transaction<Tables>, now: number): Promise<number> {
  const { numUpdatedRows } = await transaction
    .updateTable("deliveries")
    .set({ state: "waiting", next_attempt_at: now, transport: null, settled_at: null })
    .where("state", "=", "filed")
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

export async function countDeliveries(database: Kysely<Tables>): Promise<DeliveryCounts> {
  const rows = await withApplications(database)
    .select(({ fn }) => [
      "deliveries.state",
      fn.countAll<number>().as("count"),
      fn.min("applications.submitted_at").as("oldest"),
    ])
    .groupBy("deliveries.state")
    .execute();
  const count = (state: string) => Number(rows.find((row) => row.state === state)?.count ?? 0);
  const oldest = rows.filter(({ state }) => PENDING.includes(state)).map((row) => row.oldest);
  return {
    waiting: count("waiting") + count("refused") + count("unknown"),
    leased: count("leased"),
    sent: count("sent"),
    filed: count("filed"),
    delivered: count("delivered"),
    needsOwner: count("needs-owner"),
    oldestWaitingSince: oldest.length === 0 ? undefined : Math.min(...oldest),
    oldestFiledSince: rows.find(({ state }) => state === "filed")?.oldest,
  };
}

/**
 * Deletes what was delivered before a time, deliveries with their applications; returns the application
 * numbers. What was only filed has reached nobody, and stays.
 */
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

/** Deliveries with their applications: each has one. */
export function withApplications(database: Kysely<Tables>) {
  return database
    .selectFrom("deliveries")
    .innerJoin("applications", "applications.application_id", "deliveries.application_id");
}

/** A row as the rest of the program knows it. */
export function storedApplication(row: ApplicationsTable): StoredApplication {
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
