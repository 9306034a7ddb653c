import { hash } from "node:crypto";
import { sql } from "kysely";
import type { FieldName } from "#lib/application/fields.ts";
import type { Acceptance, NewApplication } from "#lib/application/stored-application.ts";
import { columnsOf } from "#lib/storage/queries/applications.ts";
import type { Writing } from "#lib/storage/tables.ts";

/** Without a key, the same content on the same route within this time is the same application. */
export const REPEAT_WINDOW_MS = 60_000;

/** With 30^8 numbers, a single collision is already rare; ten in a row mean that the random source is broken. */
const MAX_NUMBER_TRIES = 10;

/** Stores applications in their order, each with its job and its key, unless it was stored before. */
export async function acceptApplications(
  writing: Writing,
  newApplications: readonly NewApplication[],
  newApplicationId: () => string,
): Promise<Acceptance[]> {
  const acceptances: Acceptance[] = [];
  for (const newApplication of newApplications) {
    acceptances.push(await accept(writing, newApplication, newApplicationId));
  }
  return acceptances;
}

async function accept(
  writing: Writing,
  newApplication: NewApplication,
  newApplicationId: () => string,
): Promise<Acceptance> {
  const { idempotencyKey, now: submittedAt, route, suspicion } = newApplication;
  const contentHash = contentHashOf(newApplication.application);
  const earlier = await findEarlier(writing, newApplication, contentHash);
  if (earlier) {
    const { content_hash, application_id: applicationId, submitted_at } = earlier;
    return content_hash === contentHash
      ? { outcome: "replayed", applicationId, submittedAt: submitted_at }
      : { outcome: "key-reused" };
  }
  if (newApplication.repeatOnly) return { outcome: "not-a-repeat" };

  const insert = { ...newApplication, contentHash, newApplicationId };
  const applicationId = await insertApplication(writing, insert);
  await writing
    .insertInto("jobs")
    .values({
      subject: `application:${applicationId}`,
      application_id: applicationId,
      first: suspicion === undefined ? route : "mail",
      state: "open",
      next_at: submittedAt,
      retry_at: submittedAt,
      raised_at: submittedAt,
    })
    .execute();
  if (idempotencyKey !== undefined) {
    await writing
      .insertInto("idempotency_keys")
      .values({
        idempotency_key: idempotencyKey,
        content_hash: contentHash,
        application_id: applicationId,
        submitted_at: submittedAt,
        created_at: submittedAt,
      })
      .execute();
  }
  return { outcome: "stored", applicationId, submittedAt };
}

/** The fields of 1.0.0 in its order: the hashes in its databases begin with these, filled in or not. */
const FIRST_FIELDS: readonly FieldName[] = [
  "name",
  "phone",
  "gender",
  "age",
  "region",
  "preferredDate",
  "dayType",
  "timeSlot",
  "carType",
  "message",
];

/**
 * What was filled in, hashed. A later field counts only where it is: what was sent before an update that adds it has
 * the same hash when it is resent after it. The route is not hashed: a key holds on both.
 */
export function contentHashOf(application: Readonly<Record<string, string | number>>): string {
  const first = FIRST_FIELDS.map((field) => application[field]);
  const later = Object.entries(application)
    .filter(([field, value]) => value !== "" && !FIRST_FIELDS.some((each) => each === field))
    .sort();
  return hash("sha256", JSON.stringify([...first, ...later]));
}

/** What was stored before with this key; without one, with the same content on the same route a moment ago. */
function findEarlier(
  writing: Writing,
  { idempotencyKey, route, now }: NewApplication,
  contentHash: string,
) {
  const answer = ["content_hash", "application_id", "submitted_at"] as const;
  if (idempotencyKey !== undefined) {
    return writing
      .selectFrom("idempotency_keys")
      .select(answer)
      .where("idempotency_key", "=", idempotencyKey)
      .executeTakeFirst();
  }
  return (
    writing
      .selectFrom("applications")
      .select(answer)
      .where("content_hash", "=", contentHash)
      .where("route", "=", route)
      .where("submitted_at", ">", now - REPEAT_WINDOW_MS)
      // A later row is from before the clock was set back: it must not count as a repeat for hours.
      .where("submitted_at", "<", now + REPEAT_WINDOW_MS)
      .orderBy("submitted_at")
      .executeTakeFirst()
  );
}

interface Insert extends NewApplication {
  contentHash: string;
  newApplicationId: () => string;
}

async function insertApplication(
  writing: Writing,
  { route, application, suspicion, correctsKey, now, contentHash, newApplicationId }: Insert,
): Promise<string> {
  // The application that was stored with this key, where it is one of ours.
  const corrects = sql<string | null>`(select application_id from idempotency_keys
    inner join applications using (application_id) where idempotency_key = ${correctsKey})`;
  for (let tries = 0; tries < MAX_NUMBER_TRIES; tries++) {
    const applicationId = newApplicationId();
    const { numInsertedOrUpdatedRows } = await writing
      .insertInto("applications")
      .values({
        application_id: applicationId,
        route,
        submitted_at: now,
        content_hash: contentHash,
        ...columnsOf(application),
        suspicion: suspicion ?? null,
        corrects: correctsKey === undefined ? null : corrects,
      })
      .onConflict((conflict) => conflict.column("application_id").doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 1n) return applicationId;
  }
  throw new Error(`${MAX_NUMBER_TRIES} random application numbers in a row were taken`);
}
