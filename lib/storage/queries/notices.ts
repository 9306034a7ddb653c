import { sql } from "kysely";
import { MINUTE } from "#lib/application/durations.ts";
import type { StoredApplication, Suspicion } from "#lib/application/stored-application.ts";
import { selectTracked, toTrackedApplication } from "#lib/storage/queries/applications.ts";
import {
  inSet,
  MAY_HAVE_ARRIVED,
  REACHED,
  SENDABLE,
  UNDER_WAY,
} from "#lib/storage/queries/outcomes.ts";
import type { Db, Message, NoticeChange, NoticeRow, Trx } from "#lib/storage/tables.ts";

export type NewNotice = Pick<NoticeRow, "kind" | "topic" | "preferredChannel"> &
  Partial<Pick<NoticeRow, "applicationId" | "text">>;

/** Returns the id of the new notice, or undefined if a notice of this kind and topic exists. */
export async function enqueueOnce(trx: Trx, notice: NewNotice, now: number) {
  const inserted = await trx
    .insertInto("notices")
    .values({ ...notice, enqueuedAt: now })
    .onConflict((conflict) => conflict.columns(["kind", "topic"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted?.id;
}

/** An earlier notice of this kind and topic starts again. */
export async function enqueueOrRestart(trx: Trx, notice: NewNotice, now: number): Promise<void> {
  const enqueued = { ...notice, state: "new", enqueuedAt: now, finishedAt: null } as const;
  const { id } = await trx
    .insertInto("notices")
    .values(enqueued)
    .onConflict((conflict) => conflict.columns(["kind", "topic"]).doUpdateSet(enqueued))
    .returning("id")
    .executeTakeFirstOrThrow();
  await restartMessages(trx, id, now);
}

/** Earlier copies no longer count. Their charges and the evidence of their faults stay. */
async function restartMessages(trx: Trx, noticeId: number, now: number): Promise<void> {
  const unsent = { state: "waiting", tries: 0, searches: 0, copies: 0, notBefore: 0 } as const;
  const own = trx.updateTable("messages").where("noticeId", "=", noticeId);
  await own.set({ ...unsent, nextAt: now }).execute();
}

/** `sentAt`: time at which its last message began. `reached`: number of its messages that reached the owner. */
export interface EarlierNotice extends Pick<NoticeRow, "state" | "finishedAt"> {
  sentAt: number | undefined;
  reached: number;
}

export async function findEarlierNotice(
  db: Db,
  { kind, topic }: Pick<NewNotice, "kind" | "topic">,
) {
  const { rows } = await sql<EarlierNotice>`
    select notices.state, finished_at, max(messages.begun_at) as sent_at,
      count(case when messages.outcome ${inSet(REACHED)} then 1 end) as reached
    from notices left join messages on notice_id = notices.id and messages.state ${inSet(MAY_HAVE_ARRIVED)}
    where kind = ${kind} and topic = ${topic} group by notices.id`.execute(db);
  return rows[0];
}

/** A summary lists all unlisted applications from before `until`, and those that a wrong clock dated in the future. */
export async function enqueueWeekly(
  trx: Trx,
  notice: NewNotice,
  { until, now }: { until: number; now: number },
): Promise<void> {
  const id = await enqueueOnce(trx, notice, now);
  if (id === undefined) return;
  await sql`update applications set summary_id = ${id} where summary_id is null
    and (submitted_at < ${until} or submitted_at > ${now + MINUTE})`.execute(trx);
}

/** The topic of the last weekly notice before `topic` that reached the owner. */
export async function previousWeek(db: Db, topic: string): Promise<string | undefined> {
  const { rows } = await sql<{ topic: string | undefined }>`select max(topic) as topic from notices
    where kind = 'weekly' and state = 'done' and topic < ${topic}`.execute(db);
  return rows[0]?.topic;
}

/** The ids of the notices whose messages are still to be planned, the oldest first. */
export async function newNotices(db: Db, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from notices where state = 'new' order by id limit ${sql.lit(limit)}`.execute(db);
  return rows.map(({ id }) => id);
}

export interface NoticeWithMessages {
  notice: NoticeRow & { suspicion: Suspicion | undefined };
  messages: Message[];
}

export async function findNotice(db: Db, id: number): Promise<NoticeWithMessages | undefined> {
  const { rows } = await sql<NoticeWithMessages["notice"]>`select notices.*, suspicion from notices
    left join applications using (application_id) where notices.id = ${id}`.execute(db);
  const [notice] = rows;
  if (notice === undefined) return undefined;
  const messages = await sql<Message>`
    select * from messages where notice_id = ${id} order by id`.execute(db);
  return { notice, messages: messages.rows };
}

/** A notice with all that its messages are made of. */
export interface Delivery extends NoticeWithMessages {
  application: StoredApplication | undefined;
}

export async function findDelivery(db: Db, noticeId: number): Promise<Delivery | undefined> {
  const found = await findNotice(db, noticeId);
  const tracked = selectTracked(db).where("notices.id", "=", noticeId);
  const row = found?.notice.applicationId && (await tracked.executeTakeFirst());
  return found && { ...found, application: row ? toTrackedApplication(row) : undefined };
}

/** Settings and caps may be others, so a notice under way is planned again, and so is a filed one that a channel can carry. */
export async function planAnew(trx: Trx, hasChannel: boolean, now: number): Promise<void> {
  await sql`update messages set next_at = ${now} where state = 'capped'`.execute(trx);
  await sql`update notices set state = 'new' where state ${inSet(UNDER_WAY)}`.execute(trx);
  if (!hasChannel) return;
  // A file has reached nobody.
  await sql`delete from messages where channel = 'file'`.execute(trx);
  await sql`update notices set state = 'new', enqueued_at = ${now}, finished_at = null
    where state = 'filed'`.execute(trx);
}

/** A message whose provider has it is still followed, so that its last word is known. */
export async function endMessages(trx: Trx, noticeId: number): Promise<void> {
  const own = trx.updateTable("messages").where("noticeId", "=", noticeId);
  await own.set({ state: "ended" }).where("state", "in", SENDABLE).execute();
}

/** A test message is a notice that is done, with a message for each answer. */
export async function addTestNotice(trx: Trx, channel: NoticeRow["preferredChannel"], now: number) {
  const inserted = await trx
    .insertInto("notices")
    .values({
      ...{ kind: "test", topic: crypto.randomUUID(), preferredChannel: channel },
      ...{ state: "done", enqueuedAt: now, finishedAt: now },
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return inserted.id;
}

/** A decision about the notice of one application, at a person's request. */
interface Decision<Reply> {
  reply: Reply;
  notice?: NoticeChange;
  messages?: "restart" | "retry" | "end";
}

export type Decide<Reply> = (found: NoticeWithMessages) => Decision<Reply>;

/** @throws if there is no application with this number */
export async function changeApplication<Reply>(
  trx: Trx,
  applicationId: string,
  now: number,
  decide: Decide<Reply>,
): Promise<Reply> {
  const query = trx.selectFrom("notices").select("id").where("applicationId", "=", applicationId);
  const { id } = await query.executeTakeFirstOrThrow();
  const found = await findNotice(trx, id);
  if (found === undefined) throw new Error(`no notice about ${applicationId}`);
  const { reply, notice, messages } = decide(found);
  if (messages === "restart") await restartMessages(trx, id, now);
  if (messages === "end") await endMessages(trx, id);
  if (messages === "retry") {
    const failed = trx.updateTable("messages").where("noticeId", "=", id).where("tries", ">", 0);
    await failed.set({ tries: 0 }).execute();
    await failed.set({ nextAt: now }).where("state", "in", RETRIED).execute();
  }
  if (notice) await trx.updateTable("notices").set(notice).where("id", "=", id).execute();
  return reply;
}

const RETRIED = ["waiting", "refused"] as const;
