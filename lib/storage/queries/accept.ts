import { hash, randomInt } from "node:crypto";
import { sql } from "kysely";
import { APPLICATION_ID_ALPHABET, APPLICATION_ID_LENGTH } from "#lib/application/application-id.ts";
import { MINUTE } from "#lib/application/durations.ts";
import { addNotice } from "#lib/storage/queries/notices.ts";
import type { Acceptance, NewApplication } from "#lib/storage/stored-application.ts";
import type { Trx } from "#lib/storage/tables.ts";

export const REPEAT_WINDOW_MS = MINUTE;

export async function acceptApplication(
  trx: Trx,
  newApplication: NewApplication,
  drawNumber = newApplicationId,
): Promise<Acceptance> {
  const { application, idempotencyKey, now, route, suspicion } = newApplication;
  const contentHash = hashContent(application);
  const earlier = await findEarlier(trx, newApplication, contentHash);
  if (earlier) {
    const { applicationId, submittedAt } = earlier;
    return earlier.contentHash === contentHash
      ? { outcome: "replayed", applicationId, submittedAt }
      : { outcome: "key-reused" };
  }
  if (newApplication.isRepeatOnly) return { outcome: "not-a-repeat" };

  const applicationId = drawNumber();
  const stored = { applicationId, contentHash, idempotencyKey, submittedAt: now };
  const inserted = await trx
    .insertInto("applications")
    .values({ ...stored, ...application, route, suspicion })
    .onConflict((conflict) => conflict.column("applicationId").doNothing())
    .returning("applicationId")
    .executeTakeFirst();
  // The number is in use, so another number is drawn.
  if (inserted === undefined) return acceptApplication(trx, newApplication, drawNumber);
  const preferredChannel = suspicion === undefined ? route : "mail";
  const own = { topic: applicationId, applicationId, preferredChannel };
  await addNotice(trx, { kind: "application", ...own, enqueuedAt: now });
  return { outcome: "stored", applicationId, submittedAt: now };
}

export function newApplicationId(): string {
  const draw = () => APPLICATION_ID_ALPHABET.charAt(randomInt(APPLICATION_ID_ALPHABET.length));
  return Array.from({ length: APPLICATION_ID_LENGTH }, draw).join("");
}

/** An empty field does not count, so that a repeat has the same hash after an update that adds a field. */
export function hashContent(application: Readonly<Record<string, string | number>>): string {
  const filled = Object.entries(application).filter(([, value]) => value !== "");
  return hash("sha256", JSON.stringify(filled.sort()));
}

/** Finds the application with this key; without a key, an equal application on this route within REPEAT_WINDOW_MS. */
async function findEarlier(trx: Trx, newApplication: NewApplication, contentHash: string) {
  const { idempotencyKey, route, now } = newApplication;
  // The upper limit excludes rows from before the clock was set back.
  const aMomentAgo = sql`content_hash = ${contentHash} and route = ${route}
    and submitted_at > ${now - REPEAT_WINDOW_MS} and submitted_at < ${now + REPEAT_WINDOW_MS}`;
  const isEarlier =
    idempotencyKey === undefined ? aMomentAgo : sql`idempotency_key = ${idempotencyKey}`;
  const { rows } = await sql<{ contentHash: string; applicationId: string; submittedAt: number }>`
    select content_hash, application_id, submitted_at
    from applications where ${isEarlier} order by submitted_at limit 1`.execute(trx);
  return rows[0];
}
