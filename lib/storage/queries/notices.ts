import { sql } from "kysely";
import { MINUTE } from "#lib/application/durations.ts";
import {
  ACCEPTED_OR_DELIVERED,
  MAY_HAVE_ARRIVED,
  NOTICES_UNDER_WAY,
  SENDABLE_MESSAGES,
  sqlIn,
} from "#lib/storage/outcomes.ts";
import type { Suspicion } from "#lib/storage/stored-application.ts";
import type { Db, Message, NewNotice, NoticeChange, NoticeRow, Trx } from "#lib/storage/tables.ts";

export async function addNotice(trx: Trx, notice: NewNotice): Promise<number> {
  const added = trx.insertInto("notices").values(notice).returning("id");
  return (await added.executeTakeFirstOrThrow()).id;
}

/** Earlier copies no longer count. Their charges and the evidence of their faults stay. */
export async function restartMessages(trx: Trx, noticeId: number, now: number): Promise<void> {
  const unsent = { state: "waiting", tries: 0, searches: 0, copies: 0, notBefore: 0 } as const;
  const own = trx.updateTable("messages").where("noticeId", "=", noticeId);
  await own.set({ ...unsent, nextAt: now }).execute();
}

/** Of the messages that may have arrived: `sentAt` is when the last one began, `reached` how many a provider took. */
export interface EarlierNotice extends Pick<NoticeRow, "state" | "finishedAt"> {
  sentAt: number | undefined;
  reachedCount: number;
}

export async function findEarlierNotice(
  db: Db,
  { kind, topic }: Pick<NoticeRow, "kind" | "topic">,
) {
  const { rows } = await sql<EarlierNotice>`
    select notices.state, finished_at, max(messages.begun_at) as sent_at,
      count(case when messages.outcome ${sqlIn(ACCEPTED_OR_DELIVERED)} then 1 end) as reached_count
    from notices left join messages on notice_id = notices.id and messages.state ${sqlIn(MAY_HAVE_ARRIVED)}
    where kind = ${kind} and topic = ${topic} group by notices.id order by notices.id desc limit 1`.execute(
    db,
  );
  return rows[0];
}

/** A summary lists all unlisted applications from before `until`, and those that a wrong clock dated in the future. */
export async function addWeekly(trx: Trx, notice: NewNotice, until: number): Promise<void> {
  const id = await addNotice(trx, notice);
  await sql`update applications set summary_id = ${id} where summary_id is null
    and (submitted_at < ${until} or submitted_at > ${notice.enqueuedAt + MINUTE})`.execute(trx);
}

/** The topic of the last weekly notice before `topic` that reached the owner. */
export async function findPreviousWeek(db: Db, topic: string): Promise<string | undefined> {
  const { rows } = await sql<{ topic: string | undefined }>`select max(topic) as topic from notices
    where kind = 'weekly' and state = 'done' and topic < ${topic}`.execute(db);
  return rows[0]?.topic;
}

/** The ids of the notices whose messages are still to be planned, the oldest first. */
export async function listNewNoticeIds(db: Db, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from notices where state = 'new' order by id limit ${sql.lit(limit)}`.execute(db);
  return rows.map(({ id }) => id);
}

export interface NoticeWithMessages {
  notice: NoticeRow & { suspicion: Suspicion | undefined };
  messages: Message[];
}

export async function findNotice(
  db: Db,
  key: number | string,
  column: "notices.id" | "notices.applicationId" = "notices.id",
): Promise<NoticeWithMessages | undefined> {
  const { rows } = await sql<NoticeWithMessages["notice"]>`select notices.*, suspicion from notices
    left join applications using (application_id) where ${sql.ref(column)} = ${key}`.execute(db);
  const [notice] = rows;
  if (notice === undefined) return undefined;
  const messages = await sql<Message>`
    select * from messages where notice_id = ${notice.id} order by id`.execute(db);
  return { notice, messages: messages.rows };
}

export async function changeNotice(trx: Trx, id: number, change: NoticeChange): Promise<void> {
  await trx.updateTable("notices").set(change).where("id", "=", id).execute();
  // The next summary lists the applications of a summary that was given up.
  if (change.state === "given-up")
    await sql`update applications set summary_id = null where summary_id = ${id}`.execute(trx);
}

/**
 * Sets notices under way back to `new`, so that the worker plans them for today's settings and caps. If a channel is
 * configured, filed notices too.
 */
export async function returnToPlanning(trx: Trx, hasChannel: boolean, now: number): Promise<void> {
  await sql`update messages set next_at = ${now} where state = 'capped'`.execute(trx);
  await sql`update notices set state = 'new' where state ${sqlIn(NOTICES_UNDER_WAY)}`.execute(trx);
  if (!hasChannel) return;
  // The messages of filed notices are dropped, because a file reaches nobody.
  await sql`delete from messages where channel = 'file'`.execute(trx);
  await sql`update notices set state = 'new', enqueued_at = ${now}, finished_at = null
    where state = 'filed'`.execute(trx);
}

/** Messages that are accepted or being sent keep their state, so that their outcomes are still recorded. */
export async function endMessages(trx: Trx, noticeId: number): Promise<void> {
  const own = trx.updateTable("messages").where("noticeId", "=", noticeId);
  await own.set({ state: "ended" }).where("state", "in", SENDABLE_MESSAGES).execute();
}
