/** Which channels and which recipients do not work, since when: on disk, so that a restart forgets nothing. */
import { type Kysely, sql, type Transaction } from "kysely";
import type {
  ChannelNote,
  FailingChannel,
  FailingRecipient,
  RecipientNote,
} from "#lib/application/delivery.ts";
import type { Channel } from "#lib/application/stored-application.ts";
import type { Tables } from "#lib/storage/tables.ts";

/** What waited for a channel goes out within this time of its first success, the oldest first. */
const SPREAD_MS = 60_000;

interface Notes {
  channels: readonly ChannelNote[];
  recipients: readonly RecipientNote[];
}

/** Remembers what an attempt learned; what waited for a channel or a recipient that works again falls due. */
export async function noteFaults(
  transaction: Transaction<Tables>,
  { channels, recipients }: Notes,
  now: number,
): Promise<void> {
  const recovered = new Set<Channel>();
  for (const note of channels) {
    if (await noteChannel(transaction, note, now)) recovered.add(note.channel);
  }
  for (const note of recipients) {
    if (await noteRecipient(transaction, note, now)) recovered.add(note.channel);
  }
  for (const channel of recovered) await makeDueSoon(transaction, channel, now);
}

/** Whether the channel works again. */
async function noteChannel(
  transaction: Transaction<Tables>,
  { channel, fault }: ChannelNote,
  now: number,
): Promise<boolean> {
  if (fault === undefined) {
    const ended = await transaction
      .deleteFrom("channel_faults")
      .where("channel", "=", channel)
      .executeTakeFirstOrThrow();
    return ended.numDeletedRows > 0n;
  }
  const { error, advice, since = now } = fault;
  const known = { error, advice, refused: fault.refused ? 1 : 0, seen_at: now };
  await transaction
    .insertInto("channel_faults")
    .values({ channel, since, ...known })
    .onConflict((conflict) =>
      conflict.column("channel").doUpdateSet((expression) => ({
        ...known,
        // A clock that was set back since must not put the beginning into the future.
        since: expression
          .case()
          .when("channel_faults.since", ">", since)
          .then(since)
          .else(expression.ref("channel_faults.since"))
          .end(),
      })),
    )
    .execute();
  return false;
}

/** Whether the recipient works again. */
async function noteRecipient(
  transaction: Transaction<Tables>,
  { channel, recipient, fault }: RecipientNote,
  now: number,
): Promise<boolean> {
  if (fault === undefined) {
    const ended = await transaction
      .deleteFrom("recipient_faults")
      .where("channel", "=", channel)
      .where("recipient", "=", recipient)
      .executeTakeFirstOrThrow();
    return ended.numDeletedRows > 0n;
  }
  const { error, advice } = fault;
  await transaction
    .insertInto("recipient_faults")
    .values({ channel, recipient, since: now, error, advice })
    .onConflict((conflict) =>
      conflict.columns(["channel", "recipient"]).doUpdateSet({ error, advice }),
    )
    .execute();
  return false;
}

/**
 * What failed on a channel falls due, spread over a minute, the oldest first. A mail that may have gone out
 * keeps its time, and so does what a single recipient still refuses.
 */
async function makeDueSoon(
  transaction: Transaction<Tables>,
  channel: Channel,
  now: number,
): Promise<void> {
  const waiting = transaction
    .selectFrom("deliveries")
    .select("deliveries.id")
    .where("state", "in", ["waiting", "refused", "unknown"])
    .where("failing_since", "is not", null)
    .where("digest", "is", null)
    .where(({ exists, not, selectFrom }) => {
      const messages = selectFrom("messages")
        .select("delivery_id")
        .whereRef("messages.delivery_id", "=", "deliveries.id");
      return not(
        exists(
          messages
            .where("transport", "=", "mail")
            .where("messages.state", "in", ["sending", "unknown"]),
        ),
      );
    });
  await transaction
    .updateTable("messages")
    .set({ state: "unsent" })
    .where("transport", "=", channel)
    .where("state", "=", "refused")
    .where("delivery_id", "in", waiting)
    .where("recipient", "not in", (expression) =>
      expression.selectFrom("recipient_faults").select("recipient").where("channel", "=", channel),
    )
    .execute();
  await sql`
    update deliveries
    set next_attempt_at = ${now} + turns.ahead * ${SPREAD_MS} / turns.total
    from (
      select id, row_number() over (order by id) - 1 as ahead, count(*) over () as total
      from deliveries
      where id in (${waiting.where("next_attempt_at", ">", now)})
    ) as turns
    where deliveries.id = turns.id
      and deliveries.next_attempt_at > ${now} + turns.ahead * ${SPREAD_MS} / turns.total
  `.execute(transaction);
}

export async function failingChannels(database: Kysely<Tables>): Promise<FailingChannel[]> {
  const rows = await database.selectFrom("channel_faults").selectAll().orderBy("channel").execute();
  return rows.map(({ channel, since, seen_at, error, advice, refused }) => ({
    channel,
    since,
    seenAt: seen_at,
    error,
    advice,
    refused: refused === 1,
  }));
}

export async function failingRecipients(database: Kysely<Tables>): Promise<FailingRecipient[]> {
  return database
    .selectFrom("recipient_faults")
    .selectAll()
    .orderBy("channel")
    .orderBy("recipient")
    .execute();
}
