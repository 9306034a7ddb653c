/** What fails, read from the sends: nothing is kept of it, so that nothing outlives its fault. */
import { type Kysely, sql } from "kysely";
import { REACHED } from "#lib/storage/queries/sends.ts";
import type { Carrier, Outcome, Tables } from "#lib/storage/tables.ts";

/** A carrier that does not work, or one number or address that does not get its messages while its carrier works. */
export interface Failing {
  carrier: Carrier;
  /** Undefined: the carrier itself. */
  recipient: string | undefined;
  /** When the first message was begun that met it. */
  since: number;
  /** When it was met last. */
  seenAt: number;
  error: string;
  /** Korean, for the owner. */
  advice: string;
  /** The provider says no; false when it does not answer. */
  refused: boolean;
}

/** The owner's numbers and addresses, as they are set now. */
export type Recipients = Readonly<Partial<Record<Carrier, readonly string[]>>>;

/** What fails of that which is configured. */
export async function failing(
  database: Kysely<Tables>,
  recipients: Recipients,
): Promise<Failing[]> {
  const found: (Failing | undefined)[] = [];
  for (const carrier of ["sms", "mail"] as const) {
    const own = recipients[carrier];
    if (own === undefined) continue;
    found.push(await failingCarrier(database, carrier));
    for (const recipient of own) found.push(await failingRecipient(database, carrier, recipient));
  }
  return found.filter((fault) => fault !== undefined);
}

/** What has failed on a carrier since it last worked; undefined while it works. */
export function failingCarrier(
  database: Kysely<Tables>,
  carrier: Carrier,
): Promise<Failing | undefined> {
  const faults = sql`from sends where carrier = ${carrier} and about = 'channel'
    and id > coalesce((select max(id) from sends where carrier = ${carrier} and outcome in ${REACHED}), 0)`;
  return faultIn(database, faults, { carrier, recipient: undefined });
}

async function failingRecipient(
  database: Kysely<Tables>,
  carrier: Carrier,
  recipient: string,
): Promise<Failing | undefined> {
  // Nothing to look through where nobody was ever refused.
  const faults = sql`from sends where carrier = ${carrier} and about = 'recipient' and recipient = ${recipient}
    and id > coalesce((select max(id) from sends where carrier = ${carrier} and recipient = ${recipient}
      and outcome = 'delivered'), 0)`;
  return faultIn(database, faults, { carrier, recipient });
}

async function faultIn(
  database: Kysely<Tables>,
  faults: ReturnType<typeof sql>,
  whose: Pick<Failing, "carrier" | "recipient">,
): Promise<Failing | undefined> {
  const { rows } = await sql<{
    begun_at: number;
    ended_at: number;
    error: string;
    advice: string;
    outcome: Outcome;
  }>`select * from (select * ${faults} order by id limit 1) as first_one
    union all select * from (select * ${faults} order by id desc limit 1) as last_one`.execute(
    database,
  );
  const [first, last] = rows;
  if (first === undefined || last === undefined) return undefined;
  const { error, advice, ended_at: seenAt, outcome } = last;
  return { ...whose, since: first.begun_at, seenAt, error, advice, refused: outcome === "refused" };
}

/** Since when a carrier has worked again; undefined while it fails, 0 where it has never failed. */
export async function worksSince(
  database: Kysely<Tables>,
  carrier: Carrier,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`select id from sends
    where carrier = ${carrier} and about = 'channel' order by id desc limit 1`.execute(database);
  if (rows[0] === undefined) return 0;
  const works = await sql<{ ended_at: number }>`select ended_at from sends
    where carrier = ${carrier} and outcome in ${REACHED} and id > ${rows[0].id} order by id limit 1`.execute(
    database,
  );
  return works.rows[0]?.ended_at;
}
