/** Reads evidence of faults from the attempts. No fault is stored, because it could outlive its cause. */
import { sql } from "kysely";
import type { ChannelName } from "#lib/channels/names.ts";
import { REACHED_OUTCOMES } from "#lib/storage/queries/outcomes.ts";
import type { AttemptRow, Db } from "#lib/storage/tables.ts";

/** A fault that one message to one recipient has met, once or several times. */
export interface Evidence
  extends Pick<AttemptRow, "recipient" | "about" | "outcome" | "advice" | "endedAt"> {
  /** Equal for the attempts of one message: the application's number, else the job's id, or "" without a job. */
  message: string;
  since: number;
  isSinceLastSuccess: boolean;
}

/** A message that a provider accepted shows that the channel works, unless it failed later because of the channel. */
const SUCCESS = sql`(outcome in ${REACHED_OUTCOMES}
  or (outcome = 'rejected' and provider_id is not null and about is distinct from 'channel'))`;

/** The faults of a channel since its last success, and of each recipient since the last delivery, the oldest first. */
export async function readEvidence(db: Db, channel: ChannelName): Promise<Evidence[]> {
  const { rows } = await sql<Evidence>`
    select last.recipient, last.about, last.outcome, last.advice, last.ended_at, since,
      last.id > last_success as is_since_last_success,
      coalesce(application_id, cast(last.job_id as text), '') as message
    from (select max(id) as id, min(begun_at) as since, max(last_success) as last_success from attempts,
        (select coalesce(max(id), 0) as last_success from attempts where channel = ${channel} and ${SUCCESS}) as success
      where channel = ${channel} and about is not null and (id > last_success or (about = 'recipient' and id > coalesce(
        (select max(id) from attempts as other where other.channel = attempts.channel
          and other.recipient = attempts.recipient and other.outcome = 'delivered'), 0)))
      group by job_id, recipient, about) as met
    inner join attempts as last on last.id = met.id
    left join jobs on jobs.id = last.job_id order by last.id`.execute(db);
  return rows.map((row) => ({ ...row, isSinceLastSuccess: Boolean(row.isSinceLastSuccess) }));
}

/** The time since which these channels work; undefined while one of them fails, 0 if none has ever failed. */
export async function findWorkingSince(db: Db, channels: readonly ChannelName[]) {
  const isOne = sql`channel in (${sql.join(channels)})`;
  const { rows } = await sql<{ at: number | undefined }>`
    select case when fault.id is null then 0 else
      (select ended_at from attempts where ${isOne} and ${SUCCESS}
        and attempts.id > fault.id order by attempts.id limit 1) end as at
    from (select max(id) as id from attempts
      where ${isOne} and about = 'channel') as fault`.execute(db);
  return rows[0]?.at;
}
