/** What the owner sees: applications with what became of them. */
import type { Kysely } from "kysely";
import type { FollowedApplication, Message } from "#lib/application/delivery.ts";
import type { DeliveryState } from "#lib/application/delivery-states.ts";
import { storedApplication, withApplications } from "#lib/storage/queries/deliveries.ts";
import { messagesOf } from "#lib/storage/queries/messages.ts";
import type { ApplicationsTable, Tables } from "#lib/storage/tables.ts";

/** Which applications the owner wants to see; everything that is left out does not narrow the list. */
export interface ListOptions {
  states?: readonly DeliveryState[] | undefined;
  /** Submitted at or after this, ms since the epoch. */
  since?: number | undefined;
  /** Submitted before this. */
  until?: number | undefined;
  /** The newest of them. */
  limit?: number | undefined;
}

/** Applications with what became of them, the newest first. */
export async function listApplications(
  database: Kysely<Tables>,
  { states, since, until, limit }: ListOptions,
): Promise<FollowedApplication[]> {
  const rows = await followed(database)
    .$if(states !== undefined, (query) => query.where("deliveries.state", "in", states ?? []))
    .$if(since !== undefined, (query) => query.where("submitted_at", ">=", since ?? 0))
    .$if(until !== undefined, (query) => query.where("submitted_at", "<", until ?? 0))
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute();
  return rows.map(followedApplication);
}

/** One application, and what is known of each message of it; undefined when there is none. */
export async function findApplication(
  database: Kysely<Tables>,
  applicationId: string,
): Promise<(FollowedApplication & { messages: Message[] }) | undefined> {
  const row = await followed(database)
    .where("applications.application_id", "=", applicationId)
    .executeTakeFirst();
  if (!row) return undefined;
  const messages = await messagesOf(database, [row.id]);
  return { ...followedApplication(row), messages: messages.get(row.id) ?? [] };
}

/** Which of these applications are in the store. */
export async function existingApplications(
  database: Kysely<Tables>,
  applicationIds: readonly string[],
): Promise<string[]> {
  if (applicationIds.length === 0) return [];
  const rows = await database
    .selectFrom("applications")
    .select("application_id")
    .where("application_id", "in", applicationIds)
    .execute();
  return rows.map((row) => row.application_id);
}

function followed(database: Kysely<Tables>) {
  return withApplications(database)
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
      "deliveries.transport",
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
    transport: row.transport ?? undefined,
    settledAt: row.settled_at ?? undefined,
    digest: row.digest ?? undefined,
  };
}
