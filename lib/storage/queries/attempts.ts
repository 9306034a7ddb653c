/** Messages: noted before they leave, and changed by their end. */
import { sql } from "kysely";
import { roomAt, type SmsCaps } from "#lib/storage/queries/caps.ts";
import { type Named, named } from "#lib/storage/queries/rows.ts";
import type {
  AttemptRow,
  ChannelName,
  FaultAbout,
  JobRow,
  Outcome,
  Reading,
  Writing,
} from "#lib/storage/tables.ts";

/** These have reached the owner, as far as we know. */
export const REACHED = sql`('accepted', 'delivered')`;
export const isReached = (outcome: Outcome) => outcome === "accepted" || outcome === "delivered";

/** One message to one recipient. `mended`: its channel has brought something to the owner since. */
export interface Attempt extends Named<AttemptRow> {
  mended: boolean;
}

/** What is about to leave: `segments` is what it costs each recipient. */
export interface Leaving {
  jobId: number;
  channel: ChannelName;
  recipients: readonly string[];
  segments: number;
  caps: SmsCaps;
  now: number;
}

/**
 * Notes that messages are about to leave, unless a cap forbids it. `freeAt`: when there is room under the caps.
 * `lost`: the job is gone.
 */
export async function recordAttempts(
  writing: Writing,
  { jobId, channel, recipients, segments, caps, now }: Leaving,
): Promise<{ ids: number[] } | { freeAt: number } | "lost"> {
  const open = await sql`select 1 from jobs where id = ${jobId} and state = 'open'`.execute(
    writing,
  );
  if (open.rows.length === 0) return "lost";
  const freeAt = await roomAt(writing, segments * recipients.length, caps, now);
  if (freeAt > now) return { freeAt };
  const noted = { job_id: jobId, channel, outcome: "sending", segments, begun_at: now } as const;
  const begun = await writing
    .insertInto("attempts")
    .values(recipients.map((recipient) => ({ ...noted, recipient })))
    .returning("id")
    .execute();
  return { ids: begun.map(({ id }) => id) };
}

/** Nothing has left after all. */
export async function withdrawAttempts(writing: Writing, jobId: number): Promise<void> {
  await sql`update attempts set outcome = 'not-sent', segments = 0
    where job_id = ${jobId} and outcome = 'sending'`.execute(writing);
}

/** How a send ended. `id`: undefined for one that failed before it could leave. */
export interface ClosedAttempt
  extends Pick<Attempt, "channel" | "recipient" | "outcome" | "begunAt"> {
  id: number | undefined;
  /** Undefined: it costs what was noted when it was begun. */
  segments?: number | undefined;
  providerId?: string | undefined;
  notBefore?: number | undefined;
  fault?: { error: string; advice: string; about: FaultAbout } | undefined;
}

/**
 * Notes how sends ended. What waited for a channel that works again falls due. Returns the sends of the job.
 */
export async function recordOutcomes(
  writing: Writing,
  jobId: number,
  ends: readonly ClosedAttempt[],
  now: number,
): Promise<Attempt[]> {
  for (const end of ends) {
    if (isReached(end.outcome)) await hasten(writing, end.channel, now);
    await noteEnd(writing, jobId, end, now);
  }
  const job = writing.selectFrom("jobs").select(["id", "digest", "attempts_after"]);
  return attemptsOf(writing, await job.where("id", "=", jobId).execute());
}

async function noteEnd(
  writing: Writing,
  jobId: number,
  {
    id,
    channel,
    recipient,
    begunAt,
    outcome,
    segments,
    providerId,
    notBefore,
    fault,
  }: ClosedAttempt,
  now: number,
): Promise<void> {
  const { error = null, advice = null, about = null } = fault ?? {};
  const end = {
    ...{ outcome, ended_at: now, not_before: notBefore ?? null },
    // Where a look brings no other fault, the one that was there stays.
    ...((fault || isReached(outcome)) && { error, advice, about }),
    ...(providerId !== undefined && { provider_id: providerId }),
    ...(segments !== undefined && { segments }),
  };
  if (id === undefined) {
    const row = { job_id: jobId, channel, recipient, begun_at: begunAt, segments: 0, ...end };
    await writing.insertInto("attempts").values(row).execute();
  } else {
    const ending = writing.updateTable("attempts").set(end).where("id", "=", id);
    await ending.where("outcome", "in", ["sending", "unknown", "accepted"]).execute();
  }
}

/**
 * What failed on a channel since it last worked falls due, unless its provider named a later time. Since when: by
 * number, not by time, as a clock may jump.
 */
async function hasten(writing: Writing, channel: ChannelName, now: number): Promise<void> {
  await sql`update jobs set next_at = ${now} where state = 'open' and next_at > ${now} and id in (
    select job_id from attempts where channel = ${channel} and about = 'channel'
      and (not_before is null or not_before <= ${now})
      and id > coalesce((select max(id) from attempts where channel = ${channel} and outcome in ${REACHED}), 0))`.execute(
    writing,
  );
}

/** The sends that count for each of these jobs, those of the digest that carried it included; the oldest first. */
export async function attemptsOf(
  reading: Reading,
  jobs: readonly Pick<JobRow, "id" | "digest" | "attempts_after">[],
): Promise<Attempt[]> {
  const ids = jobs.flatMap(({ id, digest }) => (digest === null ? [id] : [id, digest]));
  const after = Math.min(...jobs.map((job) => job.attempts_after));
  const { rows } = await sql<
    AttemptRow & { mended: boolean }
  >`select *, exists (select 1 from attempts as later
      where later.channel = attempts.channel and later.outcome in ${REACHED} and later.id > attempts.id) as mended
    from attempts where job_id in (${sql.join(ids)}) and id > ${after} order by id`.execute(
    reading,
  );
  return rows.map((row) => ({ ...named(row), mended: Boolean(row.mended) }));
}
