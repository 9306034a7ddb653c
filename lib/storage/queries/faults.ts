/** What fails, read from the sends: nothing is kept of it, so that nothing outlives its fault. */
import { sql } from "kysely";
import { REACHED } from "#lib/storage/queries/attempts.ts";
import { CHANNEL_NAMES, type ChannelName, type Reading } from "#lib/storage/tables.ts";

/** A channel that does not work, or one number or address that does not get its messages while its channel works. */
export interface Failing {
  channel: ChannelName;
  /** Undefined: the channel itself. */
  recipient: string | undefined;
  /** When the first message was begun that met it. */
  since: number;
  /** When it was met last. */
  seenAt: number;
  /** Korean, for the owner. */
  advice: string;
  /** The provider says no; false when it does not answer. */
  refused: boolean;
}

/** The owner's numbers and addresses, as they are set now. */
export type Recipients = Readonly<Partial<Record<ChannelName, readonly string[]>>>;

/** What fails of that which is configured. */
export async function failing(reading: Reading, recipients: Recipients): Promise<Failing[]> {
  const found: Failing[] = [];
  for (const channel of CHANNEL_NAMES) {
    const own = recipients[channel];
    for (const recipient of own ? [undefined, ...own] : []) {
      const fault = await faultOf(reading, channel, recipient);
      if (fault) found.push(fault);
    }
  }
  return found;
}

/** What a channel, or one recipient of it, has met since something last got through. */
async function faultOf(reading: Reading, channel: ChannelName, recipient: string | undefined) {
  const [about, through] =
    recipient === undefined
      ? [sql`about = 'channel'`, TAKEN]
      : [
          sql`about = 'recipient' and recipient = ${recipient}`,
          sql`outcome = 'delivered' and recipient = ${recipient}`,
        ];
  const faults = sql`from attempts where channel = ${channel} and ${about} and id >
    coalesce((select max(id) from attempts where channel = ${channel} and ${through}), 0)`;
  const { rows } = await sql<Omit<Failing, "channel" | "recipient">>`
    select ended_at as "seenAt", advice, outcome = 'rejected' as refused,
      (select begun_at ${faults} order by id limit 1) as since ${faults} order by id desc limit 1`.execute(
    reading,
  );
  const [fault] = rows;
  return fault && { ...fault, channel, recipient, refused: Boolean(fault.refused) };
}

/** What a provider took shows that its channel works, whatever became of it afterwards. */
const TAKEN = sql`outcome in ('accepted', 'delivered', 'rejected')
  and (outcome in ${REACHED} or provider_id is not null)`;

/** Since when a channel has worked again; undefined while it fails, 0 where it has never failed. */
export async function worksSince(
  reading: Reading,
  channel: ChannelName,
): Promise<number | undefined> {
  const { rows } = await sql<{ at: number | null }>`select case when fault.id is null then 0 else
      (select ended_at from attempts where channel = ${channel} and ${TAKEN}
        and attempts.id > fault.id order by attempts.id limit 1) end as at
    from (select max(id) as id from attempts where channel = ${channel} and about = 'channel') as fault`.execute(
    reading,
  );
  return rows[0]?.at ?? undefined;
}
