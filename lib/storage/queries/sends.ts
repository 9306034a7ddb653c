/** Messages: noted before they leave, changed by their end, and read for the caps and for what fails. */
import { type Kysely, sql, type Transaction } from "kysely";
import { roomFor, type SmsCaps } from "#lib/storage/queries/caps.ts";
import { isHolder } from "#lib/storage/queries/worker.ts";
import type { Carrier, FaultAbout, Outcome, SendRow, Tables } from "#lib/storage/tables.ts";

/** What waited for a carrier goes out within this time of its first success, the oldest first. */
const SPREAD_MS = 60_000;
/** These have reached the owner, as far as we know. */
export const REACHED = sql`('accepted', 'delivered')`;

/** One message to one recipient. All times are ms since the epoch. */
export interface Send {
  id: number;
  carrier: Carrier;
  recipient: string;
  outcome: Outcome;
  segments: number;
  providerId: string | undefined;
  begunAt: number;
  endedAt: number | undefined;
  about: FaultAbout | undefined;
  notBefore: number | undefined;
}

export function sendOf(row: SendRow): Send {
  return {
    id: row.id,
    carrier: row.carrier,
    recipient: row.recipient,
    outcome: row.outcome,
    segments: row.segments,
    providerId: row.provider_id ?? undefined,
    begunAt: row.begun_at,
    endedAt: row.ended_at ?? undefined,
    about: row.about ?? undefined,
    notBefore: row.not_before ?? undefined,
  };
}

/** What is about to leave: `segments` is what it costs each recipient. */
export interface Leaving {
  jobId: number;
  carrier: Carrier;
  recipients: readonly string[];
  segments: number;
  caps: SmsCaps;
  holder: string;
  now: number;
}

/** `freeAt`: when there is room under the caps. `lost`: another worker sends now, or the job is gone. */
export type Begun = { ids: number[] } | { freeAt: number } | "lost";

/** Notes that messages are about to leave, unless a cap forbids it. */
export async function beginSends(
  transaction: Transaction<Tables>,
  { jobId, carrier, recipients, segments, caps, holder, now }: Leaving,
): Promise<Begun> {
  if (!(await isHolder(transaction, holder))) return "lost";
  const open = await sql`select 1 from jobs where id = ${jobId} and state = 'open'`.execute(
    transaction,
  );
  if (open.rows.length === 0) return "lost";
  if (segments > 0) {
    const freeAt = await roomFor(transaction, segments * recipients.length, caps, now);
    if (freeAt > now) return { freeAt };
  }
  const rows = recipients.map((recipient) => ({
    job_id: jobId,
    carrier,
    recipient,
    outcome: "leaving" as const,
    segments,
    begun_at: now,
  }));
  const begun = await transaction.insertInto("sends").values(rows).returning("id").execute();
  return { ids: begun.map(({ id }) => id) };
}

/** Nothing has left after all. */
export async function takeBackSends(
  transaction: Transaction<Tables>,
  jobId: number,
  holder: string,
): Promise<void> {
  if (!(await isHolder(transaction, holder))) return;
  await transaction
    .updateTable("sends")
    .set({ outcome: "unsent", segments: 0 })
    .where("job_id", "=", jobId)
    .where("outcome", "=", "leaving")
    .execute();
}

/** How a send ended. `id`: undefined for one that failed before it could leave. */
export interface EndOfSend {
  id: number | undefined;
  carrier: Carrier;
  recipient: string;
  outcome: Outcome;
  begunAt: number;
  /** Undefined: it costs what was noted when it was begun. */
  segments?: number | undefined;
  providerId?: string | undefined;
  notBefore?: number | undefined;
  fault?: { error: string; advice: string; about: FaultAbout } | undefined;
}

/**
 * Notes how sends ended; a late note of a worker that another one has followed changes nothing. What waited for a
 * carrier that works again falls due. Returns the sends of the job, or `lost`.
 */
export async function endSends(
  transaction: Transaction<Tables>,
  jobId: number,
  ends: readonly EndOfSend[],
  { holder, now }: { holder: string; now: number },
): Promise<Send[] | "lost"> {
  if (!(await isHolder(transaction, holder))) return "lost";
  for (const end of ends) {
    const before = isReached(end.outcome) && (await lastReached(transaction, end.carrier));
    await noteEnd(transaction, jobId, end, now);
    if (before !== false) await hasten(transaction, end.carrier, before, now);
  }
  return sendsOf(transaction, jobId);
}

async function noteEnd(
  transaction: Transaction<Tables>,
  jobId: number,
  { id, carrier, recipient, begunAt, outcome, segments, providerId, notBefore, fault }: EndOfSend,
  now: number,
): Promise<void> {
  const end = {
    outcome,
    ended_at: now,
    // Where a look brings no other fault, the one that was there stays.
    ...(fault || isReached(outcome)
      ? { error: fault?.error ?? null, advice: fault?.advice ?? null, about: fault?.about ?? null }
      : {}),
    not_before: notBefore ?? null,
    ...(providerId === undefined ? {} : { provider_id: providerId }),
    ...(segments === undefined ? {} : { segments }),
  };
  if (id === undefined) {
    const row = { job_id: jobId, carrier, recipient, begun_at: begunAt, segments: 0, ...end };
    await transaction.insertInto("sends").values(row).execute();
  } else {
    await transaction
      .updateTable("sends")
      .set(end)
      .where("id", "=", id)
      .where("outcome", "in", ["leaving", "unknown", "accepted"])
      .execute();
  }
}

export const isReached = (outcome: Outcome) => outcome === "accepted" || outcome === "delivered";

/** The last message that a carrier brought to the owner: by number, not by time, as a clock may jump. */
export async function lastReached(database: Kysely<Tables>, carrier: Carrier): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`select max(id) as id from sends
    where carrier = ${carrier} and outcome in ${REACHED}`.execute(database);
  return rows[0]?.id ?? 0;
}

/** What failed on a carrier since it last worked falls due over a minute, unless its provider named a later time. */
async function hasten(
  transaction: Transaction<Tables>,
  carrier: Carrier,
  since: number,
  now: number,
): Promise<void> {
  await sql`
    update jobs set next_at = ${now} + turns.ahead * ${SPREAD_MS} / turns.total
    from (
      select jobs.id, row_number() over (order by jobs.id) - 1 as ahead, count(*) over () as total from jobs
      where state = 'open' and next_at > ${now} and jobs.id in (
        select job_id from sends where carrier = ${carrier} and about = 'channel' and sends.id > ${since}
          and (not_before is null or not_before <= ${now}))
    ) as turns
    where jobs.id = turns.id and jobs.next_at > ${now} + turns.ahead * ${SPREAD_MS} / turns.total`.execute(
    transaction,
  );
}

/** The sends that count for a job, those of the digest that carried it included; the oldest first. */
async function sendsOf(database: Kysely<Tables>, jobId: number): Promise<Send[]> {
  const { rows } = await sql<SendRow>`select sends.* from sends
    inner join jobs on jobs.id = ${jobId} and sends.id > jobs.sends_after
    where sends.job_id = ${jobId} or sends.job_id = jobs.digest order by sends.id`.execute(
    database,
  );
  return rows.map(sendOf);
}
