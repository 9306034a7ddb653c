import { type Expression, sql } from "kysely";
import { DAY } from "#lib/application/durations.ts";
import { type Application, FIELD_NAMES } from "#lib/application/fields.ts";
import { SEOUL_OFFSET_MS } from "#lib/application/seoul-time.ts";
import type { ProviderChannel } from "#lib/channels/names.ts";
import { ACCEPTED_OR_DELIVERED, type NoticeState, sqlIn } from "#lib/storage/outcomes.ts";
import type { StoredApplication } from "#lib/storage/stored-application.ts";
import type { Db, NoticeRow } from "#lib/storage/tables.ts";

export interface ApplicationWithState
  extends StoredApplication,
    Pick<NoticeRow, "state" | "finishedAt" | "calledAt"> {
  /** The channel that has reached the owner, or whose provider has the message. */
  channel: ProviderChannel | undefined;
}

interface ListOptions {
  states?: readonly NoticeState[] | undefined;
  /** True: only applications whose applicant nobody has called yet. */
  isUncalled?: boolean | undefined;
  /** Only applications with this phone number or name. */
  of?: { phone?: string | undefined; name?: string | undefined } | undefined;
  /** Topic of the weekly notice that lists the applications. */
  week?: string;
  limit?: number | undefined;
}

/** The newest application comes first. */
export async function listApplications(db: Db, options: ListOptions) {
  const { states, isUncalled, of: { phone, name } = {}, week, limit } = options;
  const rows = await selectWithState(db)
    // Without this filter, the query reads the table from its newest row, and needs no sort.
    .$if(states !== undefined, (query) => query.where("notices.state", "in", states ?? []))
    .$if(isUncalled === true, (query) => query.where("notices.calledAt", "is", null))
    .$if(phone !== undefined, (query) => query.where("applications.phone", "=", phone ?? ""))
    .$if(name !== undefined, (query) => query.where(containsName(name ?? "")))
    .$if(week !== undefined, (query) =>
      query.where(sql<boolean>`summary_id = (select id from notices as weekly
        where weekly.kind = 'weekly' and weekly.topic = ${week})`),
    )
    .orderBy("notices.id", "desc")
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute();
  return rows.map(toApplicationWithState);
}

/** Spaces and the case of ASCII letters do not count: SQLite lowers no others. A part of the name is enough. */
const containsName = (name: string) => sql<boolean>`replace(lower(applications.name), ' ', '')
  like lower(${`%${name.replaceAll(" ", "").replace(/[!%_]/g, "!$&")}%`}) escape '!'`;

export async function findApplication(db: Db, applicationId: string) {
  const query = selectWithState(db).where("notices.applicationId", "=", applicationId);
  const row = await query.executeTakeFirst();
  if (row === undefined) return undefined;
  const messages = db.selectFrom("messages").selectAll().where("noticeId", "=", row.id);
  return { ...toApplicationWithState(row), messages: await messages.orderBy("id").execute() };
}

export async function listApplicationIds(
  db: Db,
  column: "applicationId" | "phone",
  values: readonly string[],
): Promise<string[]> {
  const found = db.selectFrom("applications").select("applicationId");
  const rows = values.length > 0 ? await found.where(column, "in", values).execute() : [];
  return rows.map((row) => row.applicationId);
}

/** Notices with their applications, and with the earlier applications of the same person on the same day in Seoul. */
function selectWithState(db: Db) {
  const sameDay = (column: Expression<unknown>) => sql`
    select ${column} from applications as other where other.phone = applications.phone
    and other.submitted_at < applications.submitted_at and other.submitted_at >= applications.submitted_at
      - (applications.submitted_at + ${sql.lit(SEOUL_OFFSET_MS)}) % ${sql.lit(DAY)}`;
  const channel = sql<ProviderChannel | undefined>`(select channel from messages
    where channel <> 'file' and notice_id = notices.id and messages.state ${sqlIn(ACCEPTED_OR_DELIVERED)} order by begun_at limit 1)`;
  return db
    .selectFrom("notices")
    .innerJoin("applications", "applications.applicationId", "notices.applicationId")
    .selectAll("applications")
    .select(["notices.id", "notices.state", "notices.finishedAt", "notices.calledAt"])
    .select(["notices.resends", channel.as("channel")])
    .select([
      sql<number>`(${sameDay(sql`count(*)`)})`.as("earlier"),
      sql<string | undefined>`(${sameDay(sql`other.application_id`)}
        order by other.submitted_at desc limit 1)`.as("before"),
    ]);
}

type ApplicationRow = Awaited<ReturnType<ReturnType<typeof selectWithState>["execute"]>>[number];

function toApplicationWithState(row: ApplicationRow): ApplicationWithState {
  const { before, earlier } = row;
  const fields = FIELD_NAMES.map((field) => [field, row[field]]);
  const application = Object.fromEntries(fields) as Application;
  const earlierToday = before ? { applicationId: before, count: earlier + 1 } : undefined;
  return { ...row, application, earlierToday };
}
