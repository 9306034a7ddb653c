/** The caps on paid messages: those of applications, alarms and weekly summaries count. */
import type { Transaction } from "kysely";
import type { SmsCaps } from "#lib/application/delivery.ts";
import type { Tables } from "#lib/storage/tables.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

interface Texts {
  texts: number;
  /**
   * Whose they are. What the same delivery or notice was charged before is not counted, because these take its place.
   * A notice is an alarm, by its subject, or a weekly summary, by its Monday.
   */
  of: { deliveryId: number } | { notice: string };
  caps: SmsCaps;
  now: number;
}

/** When this many more text messages fit under the caps, ms since the epoch; `now` when they fit already. */
export async function roomForTexts(
  transaction: Transaction<Tables>,
  { texts, of, caps, now }: Texts,
): Promise<number> {
  const notices = await chargedNotices(transaction, of, now);
  if (!(await mayExceed(transaction, caps, texts + notices.length, now))) return now;
  const charged = [...(await chargedMessages(transaction, of, now)), ...notices].toSorted(
    (one, other) => other - one,
  );
  return Math.max(
    roomAt(charged, caps.hourly, HOUR_MS, texts, now),
    roomAt(charged, caps.daily, DAY_MS, texts, now),
  );
}

/** Counts within the index: only near a cap the times are read. */
async function mayExceed(
  transaction: Transaction<Tables>,
  caps: SmsCaps,
  texts: number,
  now: number,
): Promise<boolean> {
  const counted = async (windowMs: number) => {
    const row = await transaction
      .selectFrom("messages")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("transport", "=", "sms")
      .where("charged_at", ">", now - windowMs)
      .where("charged_at", "<", now + windowMs)
      .executeTakeFirstOrThrow();
    return Number(row.count);
  };
  const today = (await counted(DAY_MS)) + texts;
  if (today <= Math.min(caps.daily, caps.hourly)) return false;
  return today > caps.daily || (await counted(HOUR_MS)) + texts > caps.hourly;
}

/** When the messages of applications were charged; a day around now, as clocks jump. */
async function chargedMessages(
  transaction: Transaction<Tables>,
  of: Texts["of"],
  now: number,
): Promise<number[]> {
  const rows = await transaction
    .selectFrom("messages")
    .select("charged_at")
    .where("transport", "=", "sms")
    .where("charged_at", ">", now - DAY_MS)
    .where("charged_at", "<", now + DAY_MS)
    .$if("deliveryId" in of, (query) =>
      query.where("delivery_id", "!=", "deliveryId" in of ? of.deliveryId : 0),
    )
    .execute();
  return rows.map((row) => row.charged_at).filter((time) => time !== null);
}

/** The same of alarms and weekly summaries, one time for each text message. There are hardly any rows. */
async function chargedNotices(
  transaction: Transaction<Tables>,
  of: Texts["of"],
  now: number,
): Promise<number[]> {
  const rows = await transaction
    .selectFrom("weekly_summaries")
    .select(["monday as notice", "charged_at", "texts"])
    .where("charged_at", ">", now - DAY_MS)
    .unionAll(
      transaction
        .selectFrom("alarms")
        .select(["subject as notice", "charged_at", "texts"])
        .where("charged_at", ">", now - DAY_MS),
    )
    .execute();
  return rows.flatMap(({ notice, charged_at, texts }) =>
    charged_at === null || ("notice" in of && of.notice === notice)
      ? []
      : Array<number>(texts).fill(charged_at),
  );
}

/** When this many more messages fit under a cap; `now` when they fit already. */
function roomAt(
  charged: readonly number[],
  cap: number,
  windowMs: number,
  texts: number,
  now: number,
): number {
  const within = charged.filter((time) => Math.abs(now - time) < windowMs);
  const leaves = within[Math.max(0, cap - texts)];
  return leaves === undefined ? now : Math.min(leaves, now) + windowMs;
}
