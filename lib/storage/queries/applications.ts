/** Applications as the rest of the program knows them. */
import { type Expression, sql } from "kysely";
import { type Application, FIELD_NAMES } from "#lib/application/fields.ts";
import { DAY_MS, SEOUL_OFFSET_MS } from "#lib/application/seoul-time.ts";
import type { StoredApplication } from "#lib/application/stored-application.ts";
import { named } from "#lib/storage/queries/rows.ts";
import type { FieldColumns, Reading } from "#lib/storage/tables.ts";

const COLUMNS = FIELD_NAMES.map((field) => {
  const column = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return { field, column: column as keyof FieldColumns };
});

/** The fields of an application as the columns of its row. */
export function columnsOf(application: Application): FieldColumns {
  const columns = COLUMNS.map(({ field, column }) => [column, application[field]]);
  return Object.fromEntries(columns) as FieldColumns;
}

function applicationIn(row: FieldColumns): Application {
  return Object.fromEntries(
    COLUMNS.map(({ field, column }) => [field, row[column]]),
  ) as Application;
}

/** Jobs with their applications, and with what the same person sent before on the same day in Seoul. */
export function applicationJobs(reading: Reading) {
  const sameDay = (column: Expression<unknown>) => sql`
    select ${column} from applications as other where other.phone = applications.phone
    and other.submitted_at < applications.submitted_at and other.submitted_at >= applications.submitted_at
      - (applications.submitted_at + ${sql.lit(SEOUL_OFFSET_MS)}) % ${sql.lit(DAY_MS)}`;
  const count = sameDay(sql`count(*)`);
  const last = sameDay(sql`other.application_id`);
  return reading
    .selectFrom("jobs")
    .innerJoin("applications", "applications.application_id", "jobs.application_id")
    .selectAll("applications")
    .select([
      "jobs.id",
      "jobs.digest",
      "jobs.repeats",
      sql<number>`(${count})`.as("earlier"),
      sql<string | null>`(${last} order by other.submitted_at desc limit 1)`.as("before"),
    ]);
}

type ApplicationRow = Awaited<ReturnType<ReturnType<typeof applicationJobs>["execute"]>>[number];

export function storedApplication(row: ApplicationRow): StoredApplication {
  const { applicationId, route, submittedAt, suspicion, repeats } = named(row);
  const earlierToday =
    row.before === null ? undefined : { applicationId: row.before, count: Number(row.earlier) + 1 };
  const relations = { suspicion, repeats, earlierToday };
  return { applicationId, route, submittedAt, application: applicationIn(row), ...relations };
}
