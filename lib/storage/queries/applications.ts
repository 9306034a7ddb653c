/** Applications as the rest of the program knows them. */
import { type Expression, sql } from "kysely";
import { DAY } from "#lib/application/durations.ts";
import { type Application, FIELD_NAMES } from "#lib/application/fields.ts";
import { SEOUL_OFFSET } from "#lib/application/seoul-time.ts";
import type { StoredApplication } from "#lib/application/stored-application.ts";
import type { Reading } from "#lib/storage/tables.ts";

/** Jobs with their applications, and with what the same person sent before on the same day in Seoul. */
export function applicationJobs(reading: Reading) {
  const sameDay = (column: Expression<unknown>) => sql`
    select ${column} from applications as other where other.phone = applications.phone
    and other.submitted_at < applications.submitted_at and other.submitted_at >= applications.submitted_at
      - (applications.submitted_at + ${sql.lit(SEOUL_OFFSET)}) % ${sql.lit(DAY)}`;
  const count = sameDay(sql`count(*)`);
  const last = sameDay(sql`other.application_id`);
  return reading
    .selectFrom("jobs")
    .innerJoin("applications", "applications.applicationId", "jobs.applicationId")
    .selectAll("applications")
    .select([
      "jobs.id",
      "jobs.repeats",
      sql<number>`(${count})`.as("earlier"),
      sql<string | undefined>`(${last} order by other.submitted_at desc limit 1)`.as("before"),
    ]);
}

type ApplicationRow = Awaited<ReturnType<ReturnType<typeof applicationJobs>["execute"]>>[number];

export function storedApplication(row: ApplicationRow): StoredApplication {
  const { applicationId, route, submittedAt, suspicion, repeats, before, earlier } = row;
  const fields = FIELD_NAMES.map((field) => [field, row[field]]);
  const application = Object.fromEntries(fields) as Application;
  const earlierToday =
    before === undefined ? undefined : { applicationId: before, count: Number(earlier) + 1 };
  return { applicationId, route, submittedAt, application, suspicion, repeats, earlierToday };
}
