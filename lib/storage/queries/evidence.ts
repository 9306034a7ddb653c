/** The faults of messages, until a success proves that their cause is gone. */
import { sql } from "kysely";
import type { ChannelName } from "#lib/channels/names.ts";
import type { Db, Message, Trx } from "#lib/storage/tables.ts";

/** A fault that one message to one recipient has met, once or several times. */
export type Evidence = Pick<
  Message,
  | ("noticeId" | "recipient" | "about" | "outcome")
  | ("advice" | "answeredAt" | "failingSince" | "recoveredAt")
>;

/** The faults of a channel since its last success, and of each recipient since the last delivery, the oldest first. */
export const listEvidence = (db: Db, channel: ChannelName): Promise<Evidence[]> =>
  db
    .selectFrom("messages")
    .selectAll()
    .where("channel", "=", channel)
    .where("about", "is not", null)
    .where((where) =>
      where.or([where("recoveredAt", "is", null), where("about", "=", "recipient")]),
    )
    .orderBy("answeredAt")
    // Of two faults at the same time, the rejection comes last: it says more than a fault without an answer.
    .orderBy(sql`case outcome when 'rejected' then 1 else 0 end`)
    .orderBy("id")
    .execute();

/**
 * `failingSince`: undefined while the channel works. `lastWorkedAt`: the time of its last recovery, or of its last
 * rejection of one recipient or message, which shows that the channel answers; undefined without either.
 */
export async function readFaultTimes(db: Db, channel: ChannelName) {
  const { rows } = await sql<{
    failingSince: number | undefined;
    lastWorkedAt: number | undefined;
  }>`
    select min(case when about = 'channel' and recovered_at is null then failing_since end) as failing_since,
      max(coalesce(recovered_at, case when about <> 'channel' then answered_at end)) as last_worked_at
    from messages where channel = ${channel} and about is not null`.execute(db);
  return rows[0] ?? { failingSince: undefined, lastWorkedAt: undefined };
}

export interface Success {
  channel: ChannelName;
  recipient: string;
  isDelivered: boolean;
  /** Later faults stay: a text that is only assumed to have arrived says nothing about faults after its first byte. */
  provenAt: number;
  now: number;
}

/**
 * A success ends the faults of its channel that it disproves, and makes their messages due, unless a message itself was
 * at fault. An acceptance disproves no fault that followed an acceptance: a message that its provider accepted and then
 * could not deliver waits for a delivery.
 */
export async function recordRecovery(trx: Trx, success: Success): Promise<void> {
  const { channel, recipient, isDelivered, provenAt, now } = success;
  const neverAccepted = isDelivered ? sql`` : sql`and provider_id is null`;
  const disproved = sql`and answered_at <= ${provenAt} ${neverAccepted}`;
  await sql`update messages set recovered_at = ${now}
    where channel = ${channel} and about is not null and recovered_at is null ${disproved}`.execute(
    trx,
  );
  const exceptOwnFaults = sql`and coalesce(about, '') <> 'message'`;
  await makeFailedDue(trx, now, sql`and channel = ${channel} ${disproved} ${exceptOwnFaults}`);
  if (!isDelivered) return;
  await sql`update messages set about = null where channel = ${channel} and about = 'recipient'
    and recipient = ${recipient} and answered_at <= ${provenAt}`.execute(trx);
}

/**
 * Makes failed messages due, unless their provider names a later time. A message that the provider had accepted is due
 * only if the channel was at fault.
 */
export async function makeFailedDue(trx: Trx, now: number, which = sql``): Promise<void> {
  await sql`update messages set next_at = ${now} where state in ('waiting', 'refused') and tries > 0
    and next_at > ${now} and not_before <= ${now}
    and (provider_id is null or about = 'channel') ${which}`.execute(trx);
}
