/** Reads evidence of faults from the attempts. No fault is stored, because it could outlive its cause. */
import { sql } from "kysely";
import type { ChannelName } from "#lib/channels/names.ts";
import { REACHED_OUTCOMES } from "#lib/storage/queries/outcomes.ts";
import type { AttemptRow, Db } from "#lib/storage/tables.ts";

/** A fault that one message to one recipient has met, once or several times. */
export interface Evidence
  extends Pick<AttemptRow, "recipient" | "about" | "outcome" | "advice" | "endedAt"> {
  /** The application's number or the job's id: two jobs about one application send the same message. */
  message: string;
  since: number;
  /** True if the channel has sent nothing successfully since. */
  isSinceLastSuccess: boolean;
}

/** A provider that accepts a message shows that its channel works, unless it then fails because of the channel. */
const THROUGH = sql`(outcome in ${REACHED_OUTCOMES}
  or (outcome = 'rejected' and provider_id is not null and about is distinct from 'channel'))`;

/** The faults of a channel since its last success, and of its recipients since the last delivery to each, in order. */
export async function readEvidence(db: Db, channel: ChannelName): Promise<Evidence[]> {
  const { rows } = await sql<
    Omit<Evidence, "isSinceLastSuccess"> & { id: number; through: number }
  >`
    select last.id, last.recipient, last.about, last.outcome, last.advice, last.ended_at, since, through,
      coalesce(application_id, cast(last.job_id as text), '') as message
    from (select max(id) as id, min(begun_at) as since, max(through) as through from attempts,
        (select coalesce(max(id), 0) as through from attempts where channel = ${channel} and ${THROUGH}) as passed
      where channel = ${channel} and about is not null and (id > through or (about = 'recipient' and id > coalesce(
        (select max(id) from attempts as got where got.channel = attempts.channel
          and got.recipient = attempts.recipient and got.outcome = 'delivered'), 0)))
      group by job_id, recipient, about) as met
    inner join attempts as last on last.id = met.id
    left join jobs on jobs.id = last.job_id order by last.id`.execute(db);
  return rows.map(({ id, through, ...row }) => ({ ...row, isSinceLastSuccess: id > through }));
}

/** The time since which these channels work; undefined while one of them fails, 0 if none has ever failed. */
export async function findWorkingSince(db: Db, channels: readonly ChannelName[]) {
  const isOne = sql`channel in (${sql.join(channels)})`;
  const { rows } = await sql<{ at: number | undefined }>`
    select case when fault.id is null then 0 else
      (select ended_at from attempts where ${isOne} and ${THROUGH}
        and attempts.id > fault.id order by attempts.id limit 1) end as at
    from (select max(id) as id from attempts
      where ${isOne} and about = 'channel') as fault`.execute(db);
  return rows[0]?.at;
}
