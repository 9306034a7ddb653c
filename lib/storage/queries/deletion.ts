import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#lib/storage/tables.ts";

/** How long an idempotency key is kept: the promised 7 days, and one more for clocks that differ. */
export const KEY_KEPT_MS = 8 * 24 * 60 * 60_000;

/** Deletes the idempotency keys that were made before a time. */
export async function deleteKeysBefore(
  transaction: Transaction<Tables>,
  time: number,
): Promise<void> {
  await transaction.deleteFrom("idempotency_keys").where("created_at", "<", time).execute();
}

/** The numbers of this person's applications. */
export async function findByPhone(database: Kysely<Tables>, phone: string): Promise<string[]> {
  const rows = await database
    .selectFrom("applications")
    .select("application_id")
    .where("phone", "=", phone)
    .execute();
  return rows.map((row) => row.application_id);
}

/** What was deleted, and what could not be. */
export interface Forgotten {
  /** The numbers of the deleted applications. */
  applicationIds: string[];
  /** Applications that a worker is sending just now; they are still there. */
  underWay: number;
  /** Whether the journal is free of what was deleted. */
  journalPurged: boolean;
}

/**
 * Deletes everything of the person with this number, which is in its stored form. The keys go as well: each holds a
 * hash of what the person wrote. What a worker is sending stays, because the worker still writes about it.
 */
export async function forgetPhone(
  transaction: Transaction<Tables>,
  phone: string,
): Promise<Omit<Forgotten, "journalPurged">> {
  const found = await transaction
    .selectFrom("applications")
    .innerJoin("deliveries", "deliveries.application_id", "applications.application_id")
    .select(["applications.application_id", "deliveries.state"])
    .where("applications.phone", "=", phone)
    .execute();
  const applicationIds = found
    .filter(({ state }) => state !== "leased")
    .map(({ application_id }) => application_id);
  if (applicationIds.length > 0) {
    await transaction
      .deleteFrom("idempotency_keys")
      .where("application_id", "in", applicationIds)
      .execute();
    await transaction
      .deleteFrom("applications")
      .where("application_id", "in", applicationIds)
      .execute();
  }
  return { applicationIds, underWay: found.length - applicationIds.length };
}
