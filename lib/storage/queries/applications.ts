import { type Expression, sql } from "kysely";
import { DAY } from "#lib/application/durations.ts";
import { type Application, FIELD_NAMES } from "#lib/application/fields.ts";
import { SEOUL_OFFSET_MS } from "#lib/application/seoul-time.ts";
import type { StoredApplication } from "#lib/application/stored-application.ts";
import type { ChannelName } from "#lib/channels/names.ts";
import { findRelatedAttempts } from "#lib/storage/queries/attempts.ts";
import { REACHED_OUTCOMES } from "#lib/storage/queries/outcomes.ts";
import type { Db, JobRow, JobState } from "#lib/storage/tables.ts";

export interface TrackedApplication
  extends StoredApplication,
    Pick<JobRow, "state" | "tries" | "nextAt" | "finishedAt" | "attemptsAfter"> {
  /** The channel that has reached the owner, or whose provider has the message. */
  channel: ChannelName | undefined;
}

interface ListOptions {
  states?: readonly JobState[] | undefined;
  /** Topic of the weekly summary that lists the applications. */
  week?: string;
  limit?: number | undefined;
}

/** The newest application comes first. */
export async function listApplications(db: Db, { states, week, limit }: ListOptions) {
  const rows = await selectTrackedJobs(db)
    .where("jobs.kind", "=", "application")
    // A list of all states needs no sort, because the newest rows are the last of the table.
    .$if(states !== undefined, (query) => query.where("jobs.state", "in", states ?? []))
    .$if(week !== undefined, (query) =>
      query.where(sql<boolean>`summary_id = (select id from jobs as summary
        where summary.kind = 'weekly-summary' and summary.topic = ${week})`),
    )
    .orderBy("jobs.id", "desc")
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute();
  return rows.map(toTrackedApplication);
}

export async function findApplication(db: Db, applicationId: string) {
  const row = await selectTrackedJobs(db)
    .where("jobs.kind", "=", "application")
    .where("jobs.applicationId", "=", applicationId)
    .executeTakeFirst();
  return row && { ...toTrackedApplication(row), attempts: await findRelatedAttempts(db, row, 0) };
}

export async function findApplicationIds(
  db: Db,
  column: "applicationId" | "phone",
  values: readonly string[],
): Promise<string[]> {
  const found = db.selectFrom("applications").select("applicationId");
  const rows = values.length > 0 ? await found.where(column, "in", values).execute() : [];
  return rows.map((row) => row.applicationId);
}

/** Jobs with their applications, and with the earlier applications of the same person on the same day in Seoul. */
export function selectTrackedJobs(db: Db) {
  const sameDay = (column: Expression<unknown>) => sql`
    select ${column} from applications as other where other.phone = applications.phone
    and other.submitted_at < applications.submitted_at and other.submitted_at >= applications.submitted_at
      - (applications.submitted_at + ${sql.lit(SEOUL_OFFSET_MS)}) % ${sql.lit(DAY)}`;
  const channel = sql<ChannelName | undefined>`(select channel from attempts
    where attempts.id > jobs.attempts_after and attempts.job_id = jobs.id and outcome in ${REACHED_OUTCOMES}
    order by attempts.id limit 1)`;
  return db
    .selectFrom("jobs")
    .innerJoin("applications", "applications.applicationId", "jobs.applicationId")
    .selectAll("applications")
    .select(["jobs.id", "jobs.state", "jobs.tries", "jobs.nextAt", "jobs.finishedAt"])
    .select(["jobs.repeats", "jobs.attemptsAfter", channel.as("channel")])
    .select([
      sql<number>`(${sameDay(sql`count(*)`)})`.as("earlier"),
      sql<string | undefined>`(${sameDay(sql`other.application_id`)}
        order by other.submitted_at desc limit 1)`.as("before"),
    ]);
}

type TrackedJob = Awaited<ReturnType<ReturnType<typeof selectTrackedJobs>["execute"]>>[number];

export function toTrackedApplication(row: TrackedJob): TrackedApplication {
  const { before, earlier } = row;
  const fields = FIELD_NAMES.map((field) => [field, row[field]]);
  const application = Object.fromEntries(fields) as Application;
  const earlierToday = before ? { applicationId: before, count: earlier + 1 } : undefined;
  return { ...row, application, earlierToday };
}
