/** What the owner sees: applications with what became of them. */
import type { Kysely } from "kysely";
import { storedApplication } from "#lib/storage/queries/deliveries.ts";
import { dispatchesOf } from "#lib/storage/queries/messages.ts";
import type { Dispatch, FollowedApplication, ListOptions } from "#lib/storage/store.ts";
import type { ApplicationsTable, Tables } from "#lib/storage/tables.ts";

/** See Store.list. */
export async function listApplications(
  database: Kysely<Tables>,
  { states, since, limit }: ListOptions,
): Promise<FollowedApplication[]> {
  const rows = await followed(database)
    .$if(states !== undefined, (query) => query.where("deliveries.state", "in", states ?? []))
    .$if(since !== undefined, (query) => query.where("submitted_at", ">=", since ?? 0))
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute();
  return rows.map(followedApplication);
}

/** See Store.find. */
export async function findApplication(
  database: Kysely<Tables>,
  applicationId: string,
): Promise<(FollowedApplication & { dispatches: Dispatch[] }) | undefined> {
  const row = await followed(database)
    .where("applications.application_id", "=", applicationId)
    .executeTakeFirst();
  if (!row) return undefined;
  const dispatches = await dispatchesOf(database, [row.id]);
  return { ...followedApplication(row), dispatches: dispatches.get(row.id) ?? [] };
}

function followed(database: Kysely<Tables>) {
  return database
    .selectFrom("deliveries")
    .innerJoin("applications", "applications.application_id", "deliveries.application_id")
    .selectAll("applications")
    .select([
      "deliveries.id",
      "deliveries.state",
      "deliveries.attempts",
      "deliveries.last_error",
      "deliveries.last_advice",
      "deliveries.next_attempt_at",
      "deliveries.lease_until",
      "deliveries.failing_since",
      "deliveries.carrier",
      "deliveries.settled_at",
      "deliveries.digest",
      "deliveries.repeats",
    ])
    .orderBy("deliveries.id", "desc");
}

type FollowedRow = ApplicationsTable &
  Awaited<ReturnType<ReturnType<typeof followed>["execute"]>>[number];

function followedApplication(row: FollowedRow): FollowedApplication {
  return {
    ...storedApplication(row),
    repeats: row.repeats,
    state: row.state,
    attempts: row.attempts,
    lastError: row.last_error ?? undefined,
    lastAdvice: row.last_advice ?? undefined,
    nextAttemptAt: row.next_attempt_at,
    leaseUntil: row.lease_until ?? undefined,
    failingSince: row.failing_since ?? undefined,
    carrier: row.carrier ?? undefined,
    settledAt: row.settled_at ?? undefined,
    digest: row.digest ?? undefined,
  };
}
