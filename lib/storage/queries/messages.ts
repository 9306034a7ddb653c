/** Messages and their charges. What to write is decided in lib/delivery. */
import { sql } from "kysely";
import { DAY } from "#lib/application/durations.ts";
import type { ChannelName } from "#lib/channels/names.ts";
import { PENDING_MESSAGES, sqlIn } from "#lib/storage/outcomes.ts";
import type { Suspicion } from "#lib/storage/stored-application.ts";
import type { Db, Message, MessageChange, NewMessage, Trx } from "#lib/storage/tables.ts";

export interface DueOptions {
  channel: ChannelName;
  recipients: readonly string[];
  now: number;
  /** What is due later than this time was scheduled before the clock was set back, and counts as due. */
  latest: number;
  /** Messages that are under way. */
  exceptIds: readonly number[];
  limit: number;
}

/** The due messages of a channel, the earliest first. The index `messages_due` gives this order without a sort. */
export async function listDueMessages(db: Db, options: DueOptions): Promise<Message[]> {
  const { channel, recipients, now, latest, exceptIds, limit } = options;
  // With the bare column, SQLite would read and sort the messages of every open notice.
  const noticeState = sql`coalesce(notices.state, '')`;
  // SQLite plans a query again at every execution if the limit is a parameter.
  const { rows } = await sql<Message>`
    select messages.* from messages inner join notices on notices.id = notice_id
    where messages.state ${sqlIn(PENDING_MESSAGES)} and channel = ${channel}
      and next_at not between ${now + 1} and ${latest}
      and (messages.state = 'accepted' or recipient in (${sql.join(recipients)}))
      and (${noticeState} = 'open' or (${noticeState} in ('sent', 'closed') and messages.state = 'accepted'))
      ${exceptIds.length === 0 ? sql`` : sql`and messages.id not in (${sql.join(exceptIds)})`}
    order by next_at, messages.id limit ${sql.lit(limit)}`.execute(db);
  return rows;
}

export async function readNextDueTime(db: Db, now: number): Promise<number | undefined> {
  const { rows } = await sql<{ at: number | undefined }>`select min(next_at) as at from messages
    where state ${sqlIn(PENDING_MESSAGES)} and next_at > ${now}`.execute(db);
  return rows[0]?.at;
}

export interface Charge {
  at: number;
  segments: number;
  suspicion: Suspicion | undefined;
}

/** The charges of the last day. Those dated in the future come from before the clock was set back. */
export async function listCharges(db: Db, now: number): Promise<Charge[]> {
  const { rows } = await sql<Charge>`select at, segments, suspicion from charges
    where at > ${now - DAY} and at < ${now + DAY} order by at`.execute(db);
  return rows;
}

export async function addCharge(trx: Trx, messageId: number, charge: Charge): Promise<void> {
  await trx
    .insertInto("charges")
    .values({ messageId, ...charge })
    .execute();
}

export async function dropCharge(trx: Trx, { id, begunAt }: Message): Promise<void> {
  await sql`delete from charges where message_id = ${id} and at = ${begunAt}`.execute(trx);
}

export const listSending = (db: Db): Promise<Message[]> =>
  db.selectFrom("messages").selectAll().where("state", "=", "sending").execute();

export const addMessage = (trx: Trx, message: NewMessage): Promise<Message> =>
  trx.insertInto("messages").values(message).returningAll().executeTakeFirstOrThrow();

export async function changeMessage(trx: Trx, id: number, change: MessageChange): Promise<void> {
  await trx.updateTable("messages").set(change).where("id", "=", id).execute();
}

/** The provider's ids of all texts of a notice. */
export const providerIds = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ providerId = "", earlierIds }) => `${earlierIds} ${providerId}`.split(" "));
