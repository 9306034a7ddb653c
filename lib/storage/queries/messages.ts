/** The rows of one delivery: read to decide, and written, in one transaction of the worker that has the lease. */
import { sql } from "kysely";
import { DAY } from "#lib/application/durations.ts";
import type { Suspicion } from "#lib/application/stored-application.ts";
import { type ChannelName, MESSAGE_CHANNELS, type MessageChannel } from "#lib/channels/names.ts";
import {
  findFailingSince,
  recordRecovery,
  type Success,
  wakeFailed,
} from "#lib/storage/queries/evidence.ts";
import {
  addTestNotice,
  endMessages,
  enqueueOrRestart,
  enqueueWeekly,
  findNotice,
  type NewNotice,
  planAnew,
} from "#lib/storage/queries/notices.ts";
import { type Answer, inSet, PENDING } from "#lib/storage/queries/outcomes.ts";
import type { Db, Message, MessageChange, NoticeChange, Trx } from "#lib/storage/tables.ts";

export interface DueOptions {
  channel: MessageChannel;
  recipients: readonly string[];
  now: number;
  /** What is due later than this time was planned before the clock was set back, and counts as due. */
  latest: number;
  /** Messages that are under way. */
  exceptIds: readonly number[];
  limit: number;
}

/** The messages of a channel that are due, in the order of their times. The index `messages_due` is read up to the limit. */
export async function dueMessages(db: Db, options: DueOptions): Promise<Message[]> {
  const { channel, recipients, now, latest, exceptIds, limit } = options;
  // SQLite plans a query again at every execution if the limit is a parameter.
  const { rows } = await sql<Message>`
    select messages.* from messages inner join notices on notices.id = notice_id
    where messages.state ${inSet(PENDING)} and channel = ${channel}
      and next_at not between ${now + 1} and ${latest}
      and (messages.state = 'accepted' or recipient in (${sql.join(recipients)}))
      and (notices.state = 'open' or (notices.state in ('sent', 'closed') and messages.state = 'accepted'))
      ${exceptIds.length === 0 ? sql`` : sql`and messages.id not in (${sql.join(exceptIds)})`}
    order by next_at, messages.id limit ${sql.lit(limit)}`.execute(db);
  return rows;
}

export async function nextDueAt(db: Db, now: number): Promise<number | undefined> {
  const times = MESSAGE_CHANNELS.map(
    (channel) => sql`select min(next_at) as at from messages
      where state ${inSet(PENDING)} and channel = ${channel} and next_at > ${now}`,
  );
  const { rows } = await sql<{ at: number | undefined }>`
    select min(at) as at from (${sql.join(times, sql` union all `)}) as times`.execute(db);
  return rows[0]?.at;
}

export interface Charge {
  at: number;
  segments: number;
  suspicion: Suspicion | undefined;
}

export type DeliveryRows = ReturnType<typeof deliveryRows>;

/** The operations of one transaction. What to write is decided in lib/delivery. */
export function deliveryRows(trx: Trx) {
  return {
    findNotice: (id: number) => findNotice(trx, id),
    changeMessage: (id: number, change: MessageChange) => changeMessage(trx, id, change),
    async changeNotice(id: number, change: NoticeChange): Promise<void> {
      await trx.updateTable("notices").set(change).where("id", "=", id).execute();
      // The next summary lists the applications of a summary that was given up.
      if (change.state === "given-up")
        await sql`update applications set summary_id = null where summary_id = ${id}`.execute(trx);
    },
    async addMessage(message: Pick<Message, "noticeId" | "channel" | "recipient" | "nextAt">) {
      await trx.insertInto("messages").values(message).execute();
    },
    sending: () => trx.selectFrom("messages").selectAll().where("state", "=", "sending").execute(),
    planAnew: (hasChannel: boolean, now: number) => planAnew(trx, hasChannel, now),
    endMessages: (noticeId: number) => endMessages(trx, noticeId),
    wakeFailed: (now: number) => wakeFailed(trx, now),
    recordRecovery: (success: Success) => recordRecovery(trx, success),
    findFailingSince: (channel: MessageChannel) => findFailingSince(trx, channel),
    enqueueOrRestart: (notice: NewNotice, now: number) => enqueueOrRestart(trx, notice, now),
    enqueueWeekly: (notice: NewNotice, times: { until: number; now: number }) =>
      enqueueWeekly(trx, notice, times),

    /** The charges of the last day. Those from before the clock was set back have times in the future. */
    async charges(now: number): Promise<Charge[]> {
      const { rows } = await sql<Charge>`select at, segments, suspicion from charges
        where at > ${now - DAY} and at < ${now + DAY} order by at`.execute(trx);
      return rows;
    },
    async addCharge(messageId: number, charge: Charge): Promise<void> {
      await trx
        .insertInto("charges")
        .values({ messageId, ...charge })
        .execute();
    },
    async dropCharge({ id, begunAt }: Message): Promise<void> {
      await sql`delete from charges where message_id = ${id} and at = ${begunAt}`.execute(trx);
    },
  };
}

async function changeMessage(trx: Trx, id: number, change: MessageChange): Promise<void> {
  await trx.updateTable("messages").set(change).where("id", "=", id).execute();
}

/** The provider's ids of all texts of a notice to one recipient. */
export const providerIds = (messages: readonly Message[], recipient: string): string[] =>
  messages
    .filter((each) => each.recipient === recipient)
    .flatMap(({ providerId = "", earlierIds }) => `${earlierIds} ${providerId}`.split(" "))
    .filter((id) => id !== "");

export interface TestMessage {
  recipient: string;
  segments: number;
  answer: Answer;
}

/** Records the messages of `test-send`, which count under the caps, and as evidence for or against their channel. */
export async function recordTest(
  trx: Trx,
  channel: ChannelName,
  tests: readonly TestMessage[],
  now: number,
): Promise<void> {
  const rows = deliveryRows(trx);
  const noticeId = await addTestNotice(trx, channel, now);
  for (const { recipient, segments, answer } of tests) {
    const { outcome, providerId, fault } = answer;
    const isSuccess = outcome === "accepted" || outcome === "delivered";
    const state = isSuccess ? outcome : "ended";
    const said = { state, outcome, providerId, ...fault, failingSince: fault && now } as const;
    const times = { nextAt: now, begunAt: now, answeredAt: now };
    const message = { noticeId, channel, recipient, ...said, ...times };
    const added = trx.insertInto("messages").values(message).returning("id");
    const { id } = await added.executeTakeFirstOrThrow();
    const isCharged = segments > 0 && (providerId !== undefined || outcome === "unknown");
    if (isCharged) await rows.addCharge(id, { at: now, segments, suspicion: undefined });
    const isDelivered = outcome === "delivered";
    if (isSuccess)
      await rows.recordRecovery({ channel, recipient, isDelivered, provenAt: now, now });
  }
}
