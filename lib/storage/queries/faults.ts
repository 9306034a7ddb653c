/** What fails, read from the sends: nothing is kept of it, so that nothing outlives its fault. */
import { sql } from "kysely";
import { REACHED } from "#lib/storage/queries/sends.ts";
import { CARRIER_NAMES, type Carrier, type Reading } from "#lib/storage/tables.ts";

/** A carrier that does not work, or one number or address that does not get its messages while its carrier works. */
export interface Failing {
  carrier: Carrier;
  /** Undefined: the carrier itself. */
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
export type Recipients = Readonly<Partial<Record<Carrier, readonly string[]>>>;

/** What fails of that which is configured. */
export async function failing(reading: Reading, recipients: Recipients): Promise<Failing[]> {
  const found: Failing[] = [];
  for (const carrier of CARRIER_NAMES) {
    const own = recipients[carrier];
    for (const recipient of own ? [undefined, ...own] : []) {
      const fault = await faultOf(reading, carrier, recipient);
      if (fault) found.push(fault);
    }
  }
  return found;
}

/** What a carrier, or one recipient of it, has met since something last got through. */
async function faultOf(reading: Reading, carrier: Carrier, recipient: string | undefined) {
  const [about, through] =
    recipient === undefined
      ? [sql`about = 'channel'`, TAKEN]
      : [
          sql`about = 'recipient' and recipient = ${recipient}`,
          sql`outcome = 'delivered' and recipient = ${recipient}`,
        ];
  const faults = sql`from sends where carrier = ${carrier} and ${about} and id >
    coalesce((select max(id) from sends where carrier = ${carrier} and ${through}), 0)`;
  const { rows } = await sql<Omit<Failing, "carrier" | "recipient">>`
    select ended_at as "seenAt", advice, outcome = 'refused' as refused,
      (select begun_at ${faults} order by id limit 1) as since ${faults} order by id desc limit 1`.execute(
    reading,
  );
  const [fault] = rows;
  return fault && { ...fault, carrier, recipient, refused: Boolean(fault.refused) };
}

/** What a provider took shows that its carrier works, whatever became of it afterwards. */
const TAKEN = sql`outcome in ('accepted', 'delivered', 'refused')
  and (outcome in ${REACHED} or provider_id is not null)`;

/** Since when a carrier has worked again; undefined while it fails, 0 where it has never failed. */
export async function worksSince(reading: Reading, carrier: Carrier): Promise<number | undefined> {
  const { rows } = await sql<{ at: number | null }>`select case when fault.id is null then 0 else
      (select ended_at from sends where carrier = ${carrier} and ${TAKEN}
        and sends.id > fault.id order by sends.id limit 1) end as at
    from (select max(id) as id from sends where carrier = ${carrier} and about = 'channel') as fault`.execute(
    reading,
  );
  return rows[0]?.at ?? undefined;
}
