/** Which channels do not work, since when, and when the owner is told: on disk, so that a restart repeats nothing. */
import type { Kysely, Transaction } from "kysely";
import type { AlarmSubject, ChannelNote, FailingChannel } from "#lib/application/delivery.ts";
import { DUE_STATES } from "#lib/application/delivery-states.ts";
import type { Channel } from "#lib/application/stored-application.ts";
import type { Tables } from "#lib/storage/tables.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** An alarm that did not go out is tried again after this. */
const ALARM_PAUSE_MS = 5 * MINUTE_MS;
/** A channel that comes back after this long has kept others waiting, whose own times are far apart by now. */
const OUTAGE_MS = 15 * MINUTE_MS;

/** Remembers what an attempt learned about channels; after an outage, what waited is due at once, in order. */
export async function noteChannels(
  transaction: Transaction<Tables>,
  notes: readonly ChannelNote[],
  now: number,
): Promise<void> {
  for (const { channel, fault } of notes) {
    if (fault) {
      const known = { error: fault.error, advice: fault.advice, refused: fault.refused ? 1 : 0 };
      await transaction
        .insertInto("channel_faults")
        .values({ channel, since: now, ...known })
        .onConflict((conflict) =>
          conflict.column("channel").doUpdateSet((expression) => ({
            ...known,
            // A clock that was set back since must not put the beginning into the future.
            since: expression
              .case()
              .when("channel_faults.since", ">", now)
              .then(now)
              .else(expression.ref("channel_faults.since"))
              .end(),
          })),
        )
        .execute();
      continue;
    }
    const ended = await transaction
      .deleteFrom("channel_faults")
      .where("channel", "=", channel)
      .returning("since")
      .executeTakeFirst();
    if (ended && now - ended.since >= OUTAGE_MS) await makeDueNow(transaction, channel, now);
  }
}

async function makeDueNow(
  transaction: Transaction<Tables>,
  channel: Channel,
  now: number,
): Promise<void> {
  const kept = transaction
    .selectFrom("deliveries")
    .select("id")
    .where("state", "in", DUE_STATES)
    .where("failing_since", "is not", null);
  await transaction
    .updateTable("messages")
    .set({ state: "unsent" })
    .where("transport", "=", channel)
    .where("state", "=", "refused")
    .where("delivery_id", "in", kept)
    .execute();
  await transaction
    .updateTable("deliveries")
    .set({ next_attempt_at: now })
    .where("id", "in", kept)
    .where("digest", "is", null)
    .where("next_attempt_at", ">", now)
    .execute();
}

export async function failingChannels(database: Kysely<Tables>): Promise<FailingChannel[]> {
  const rows = await database.selectFrom("channel_faults").selectAll().orderBy("channel").execute();
  return rows.map(({ channel, since, error, advice, refused }) => ({
    channel,
    since,
    error,
    advice,
    refused: refused === 1,
  }));
}

/** Whether the owner is to be told; also when the time is later than it can be: the clock was set back. */
export async function isAlarmDue(
  database: Kysely<Tables>,
  subject: AlarmSubject,
  now: number,
): Promise<boolean> {
  const row = await database
    .selectFrom("alarms")
    .select("due_at")
    .where("subject", "=", subject)
    .executeTakeFirst();
  return row === undefined || row.due_at <= now || row.due_at > now + DAY_MS + MINUTE_MS;
}

/** Takes on telling the owner; false unless that is due now. Due again in minutes, unless confirmed. */
export async function claimAlarm(
  transaction: Transaction<Tables>,
  subject: AlarmSubject,
  now: number,
): Promise<boolean> {
  if (!(await isAlarmDue(transaction, subject, now))) return false;
  const due_at = now + ALARM_PAUSE_MS;
  await transaction
    .insertInto("alarms")
    .values({ subject, due_at })
    .onConflict((conflict) => conflict.column("subject").doUpdateSet({ due_at }))
    .execute();
  return true;
}

/** The owner was told: due again in a day. */
export async function confirmAlarm(
  transaction: Transaction<Tables>,
  subject: AlarmSubject,
  now: number,
): Promise<void> {
  await transaction
    .updateTable("alarms")
    .set({ due_at: now + DAY_MS })
    .where("subject", "=", subject)
    .execute();
}
