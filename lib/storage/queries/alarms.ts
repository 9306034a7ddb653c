/** Which alarms the owner was told, and when: on disk, so that a restart repeats none. */
import type { Kysely, Transaction } from "kysely";
import type { AlarmSubject, ClaimedAlarm, GivenUp, SmsCaps } from "#lib/application/delivery.ts";
import { roomForTexts } from "#lib/storage/queries/sms-caps.ts";
import type { Tables } from "#lib/storage/tables.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** An alarm that certainly did not go out is tried again after this. */
const ALARM_PAUSE_MS = 5 * MINUTE_MS;

export interface AlarmClaim {
  subject: AlarmSubject;
  /** When the newest of what there is to tell happened, ms since the epoch. */
  evidenceAt: number;
  now: number;
}

/**
 * Whether the owner is to be told: at most once a day, and only what is newer than the last alarm. A time
 * that is later than possible was written before the clock was set back.
 */
export async function isAlarmDue(
  database: Kysely<Tables>,
  { subject, evidenceAt, now }: AlarmClaim,
): Promise<boolean> {
  const row = await rowOf(database, subject);
  if (row === undefined) return true;
  const isTime = row.due_at <= now || row.due_at > now + DAY_MS + MINUTE_MS;
  return isTime && (row.told_at === null || row.told_at > now || evidenceAt > row.told_at);
}

/** Claims an alarm for this process; undefined when it is not due. It counts as told from now on. */
export async function claimAlarm(
  transaction: Transaction<Tables>,
  claim: AlarmClaim,
): Promise<ClaimedAlarm | undefined> {
  if (!(await isAlarmDue(transaction, claim))) return undefined;
  const { subject, now } = claim;
  const toldAt = (await rowOf(transaction, subject))?.told_at ?? undefined;
  const told = { told_at: now, due_at: now + DAY_MS };
  await transaction
    .insertInto("alarms")
    .values({ subject, ...told, texts: 0 })
    .onConflict((conflict) => conflict.column("subject").doUpdateSet(told))
    .execute();
  return { subject, toldAt };
}

/** The alarm certainly did not go out: it is due again in minutes, and cost nothing. */
export async function withdrawAlarm(
  transaction: Transaction<Tables>,
  { subject, toldAt }: ClaimedAlarm,
  now: number,
): Promise<void> {
  await transaction
    .updateTable("alarms")
    .set({ told_at: toldAt ?? null, due_at: now + ALARM_PAUSE_MS, texts: 0, charged_at: null })
    .where("subject", "=", subject)
    .execute();
}

/** Notes that an alarm is about to go out as text messages; false where the caps have no room for them. */
export async function chargeAlarm(
  transaction: Transaction<Tables>,
  {
    subject,
    texts,
    caps,
    now,
  }: { subject: AlarmSubject; texts: number; caps: SmsCaps; now: number },
): Promise<boolean> {
  const freeAt = await roomForTexts(transaction, { texts, of: { notice: subject }, caps, now });
  if (freeAt > now) return false;
  await transaction
    .updateTable("alarms")
    .set({ texts, charged_at: now })
    .where("subject", "=", subject)
    .execute();
  return true;
}

/** Applications that were given up; undefined when there are none. */
export async function givenUp(database: Kysely<Tables>): Promise<GivenUp | undefined> {
  const { count } = await database
    .selectFrom("deliveries")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("state", "=", "needs-owner")
    .executeTakeFirstOrThrow();
  const last = await database
    .selectFrom("deliveries")
    .select(["settled_at", "last_advice"])
    .where("state", "=", "needs-owner")
    .orderBy("settled_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return (
    last && {
      count: Number(count),
      lastAt: last.settled_at ?? 0,
      advice: last.last_advice ?? undefined,
    }
  );
}

function rowOf(database: Kysely<Tables>, subject: AlarmSubject) {
  return database
    .selectFrom("alarms")
    .selectAll()
    .where("subject", "=", subject)
    .executeTakeFirst();
}
