import { hash } from "node:crypto";
import type { Transaction } from "kysely";
import type { FieldName } from "#lib/application/fields.ts";
import type { Acceptance, NewApplication } from "#lib/application/stored-application.ts";
import { columnsOf } from "#lib/storage/queries/applications.ts";
import type { Tables } from "#lib/storage/tables.ts";

/** Without a key, the same content on the same route within this time is the same application. */
export const REPEAT_WINDOW_MS = 60_000;

/** With 30^8 numbers, a single collision is already rare; ten in a row mean that the random source is broken. */
const MAX_NUMBER_TRIES = 10;

/** Stores applications in their order, each with its job and its key, unless it was stored before. */
export async function acceptApplications(
  transaction: Transaction<Tables>,
  newApplications: readonly NewApplication[],
  newApplicationId: () => string,
): Promise<Acceptance[]> {
  const acceptances: Acceptance[] = [];
  for (const newApplication of newApplications) {
    acceptances.push(await accept(transaction, newApplication, newApplicationId));
  }
  return acceptances;
}

async function accept(
  transaction: Transaction<Tables>,
  newApplication: NewApplication,
  newApplicationId: () => string,
): Promise<Acceptance> {
  const { idempotencyKey, now: submittedAt } = newApplication;
  const contentHash = contentHashOf(newApplication.application);
  const earlier =
    idempotencyKey === undefined
      ? await findRecentDuplicate(transaction, newApplication, contentHash)
      : await findByKey(transaction, idempotencyKey, contentHash);
  if (earlier) return earlier;
  if (newApplication.repeatOnly) return { outcome: "not-a-repeat" };

  const applicationId = await insertApplication(
    transaction,
    newApplication,
    contentHash,
    newApplicationId,
  );
  await transaction
    .insertInto("jobs")
    .values({
      subject: `application:${applicationId}`,
      application_id: applicationId,
      first: newApplication.suspicion === undefined ? newApplication.route : "mail",
      state: "open",
      next_at: submittedAt,
      retry_at: submittedAt,
      raised_at: submittedAt,
    })
    .execute();
  if (idempotencyKey !== undefined) {
    await transaction
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

async function findByKey(
  transaction: Transaction<Tables>,
  idempotencyKey: string,
  contentHash: string,
): Promise<Acceptance | undefined> {
  const row = await transaction
    .selectFrom("idempotency_keys")
    .select(["content_hash", "application_id", "submitted_at"])
    .where("idempotency_key", "=", idempotencyKey)
    .executeTakeFirst();
  if (!row) return undefined;
  if (row.content_hash !== contentHash) return { outcome: "key-reused" };
  return replay(row);
}

async function findRecentDuplicate(
  transaction: Transaction<Tables>,
  { route, now }: NewApplication,
  contentHash: string,
): Promise<Acceptance | undefined> {
  const row = await transaction
    .selectFrom("applications")
    .select(["application_id", "submitted_at"])
    .where("content_hash", "=", contentHash)
    .where("route", "=", route)
    .where("submitted_at", ">", now - REPEAT_WINDOW_MS)
    // A later row is from before the clock was set back: it must not count as a repeat for hours.
    .where("submitted_at", "<", now + REPEAT_WINDOW_MS)
    .orderBy("submitted_at")
    .executeTakeFirst();
  return row && replay(row);
}

function replay(row: { application_id: string; submitted_at: number }): Acceptance {
  return {
    outcome: "replayed",
    applicationId: row.application_id,
    submittedAt: row.submitted_at,
  };
}

async function insertApplication(
  transaction: Transaction<Tables>,
  { route, application, suspicion, correctsKey, now }: NewApplication,
  contentHash: string,
  newApplicationId: () => string,
): Promise<string> {
  const corrects = await correctedBy(transaction, correctsKey);
  for (let tries = 0; tries < MAX_NUMBER_TRIES; tries++) {
    const applicationId = newApplicationId();
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto("applications")
      .values({
        application_id: applicationId,
        route,
        submitted_at: now,
        content_hash: contentHash,
        ...columnsOf(application),
        suspicion: suspicion ?? null,
        corrects: corrects ?? null,
      })
      .onConflict((conflict) => conflict.column("application_id").doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 1n) return applicationId;
  }
  throw new Error(`${MAX_NUMBER_TRIES} random application numbers in a row were taken`);
}

/** The application that was stored with this key. */
async function correctedBy(
  transaction: Transaction<Tables>,
  key: string | undefined,
): Promise<string | undefined> {
  if (key === undefined) return undefined;
  const row = await transaction
    .selectFrom("idempotency_keys")
    .innerJoin("applications", "applications.application_id", "idempotency_keys.application_id")
    .select("applications.application_id")
    .where("idempotency_key", "=", key)
    .executeTakeFirst();
  return row?.application_id;
}
