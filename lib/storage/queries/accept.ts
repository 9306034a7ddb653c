import { hash } from "node:crypto";
import type { Transaction } from "kysely";
import { type Application, FIELD_NAMES } from "#lib/application/fields.ts";
import type { Acceptance, NewApplication } from "#lib/application/stored-application.ts";
import { type Connected, onConnection } from "#lib/storage/prepared.ts";
import {
  insertDelivery,
  insertKey,
  insertUnlessTaken,
  selectDuplicate,
  selectKey,
} from "#lib/storage/queries/accept-statements.ts";
import type { Tables } from "#lib/storage/tables.ts";

/** Without a key, the same content on the same route within this time is the same application. */
export const REPEAT_WINDOW_MS = 60_000;

/** With 30^8 numbers, a single collision is already rare; ten in a row mean that the random source is broken. */
const MAX_NUMBER_TRIES = 10;

/** Stores applications in their order, each with its delivery and its key, unless it was stored before. */
export function acceptApplications(
  transaction: Transaction<Tables>,
  newApplications: readonly NewApplication[],
  newApplicationId: () => string,
): Promise<Acceptance[]> {
  return onConnection(transaction, async (connected) => {
    const acceptances: Acceptance[] = [];
    for (const newApplication of newApplications) {
      acceptances.push(await accept(connected, newApplication, newApplicationId));
    }
    return acceptances;
  });
}

async function accept(
  connected: Connected,
  newApplication: NewApplication,
  newApplicationId: () => string,
): Promise<Acceptance> {
  const contentHash = contentHashOf(newApplication.application);
  const earlier =
    newApplication.idempotencyKey === undefined
      ? await findRecentDuplicate(connected, newApplication, contentHash)
      : await findByKey(connected, newApplication.idempotencyKey, contentHash);
  if (earlier) return earlier;
  if (newApplication.repeatOnly) return { outcome: "not-a-repeat" };

  const submittedAt = newApplication.now;
  const applicationId = await insertApplication(
    connected,
    newApplication,
    contentHash,
    newApplicationId,
  );
  await insertDelivery(connected, { applicationId, submittedAt });
  const { idempotencyKey } = newApplication;
  if (idempotencyKey !== undefined) {
    await insertKey(connected, { idempotencyKey, contentHash, applicationId, submittedAt });
  }
  return { outcome: "stored", applicationId, submittedAt };
}

/** The ten fields in their fixed order, hashed. The route is no part of it: a key holds on both. */
export function contentHashOf(application: Application): string {
  const values = FIELD_NAMES.map((field) => application[field]);
  return hash("sha256", JSON.stringify(values));
}

async function findByKey(
  connected: Connected,
  idempotencyKey: string,
  contentHash: string,
): Promise<Acceptance | undefined> {
  const { rows } = await selectKey(connected, { idempotencyKey });
  const [row] = rows;
  if (!row) return undefined;
  if (row.content_hash !== contentHash) return { outcome: "key-reused" };
  return replay(row);
}

async function findRecentDuplicate(
  connected: Connected,
  { channel, now }: NewApplication,
  contentHash: string,
): Promise<Acceptance | undefined> {
  const { rows } = await selectDuplicate(connected, {
    contentHash,
    channel,
    after: now - REPEAT_WINDOW_MS,
    // Not older, but from before the clock was set back: such a row must not catch repeats for hours.
    before: now + REPEAT_WINDOW_MS,
  });
  const [row] = rows;
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
  connected: Connected,
  { channel, application, suspicion, now }: NewApplication,
  contentHash: string,
  newApplicationId: () => string,
): Promise<string> {
  for (let tries = 0; tries < MAX_NUMBER_TRIES; tries++) {
    const applicationId = newApplicationId();
    const { numAffectedRows } = await insertUnlessTaken(connected, {
      ...application,
      applicationId,
      channel,
      submittedAt: now,
      contentHash,
      suspicion: suspicion ?? null,
    });
    if (numAffectedRows === 1n) return applicationId;
  }
  throw new Error(`${MAX_NUMBER_TRIES} random application numbers in a row were taken`);
}
