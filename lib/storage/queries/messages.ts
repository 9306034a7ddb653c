/** One recipient's message: noted before it leaves, counted for the caps, and what became of it. */
import type { Kysely, Transaction } from "kysely";
import {
  type Intent,
  type IntentResult,
  type LeasedDelivery,
  type Message,
  MOST_MAIL_COPIES,
} from "#lib/application/delivery.ts";
import { roomForTexts } from "#lib/storage/queries/sms-caps.ts";
import type { MessagesTable, Tables } from "#lib/storage/tables.ts";

/** The messages of deliveries, by delivery; one that was under way when its process died is in doubt. */
export async function messagesOf(
  database: Kysely<Tables>,
  deliveryIds: readonly number[],
): Promise<Map<number, Message[]>> {
  if (deliveryIds.length === 0) return new Map();
  const rows = await database
    .selectFrom("messages")
    .selectAll()
    .where("delivery_id", "in", deliveryIds)
    .execute();
  const byDelivery = Map.groupBy(rows, (row) => row.delivery_id);
  return new Map([...byDelivery].map(([id, own]) => [id, own.map(messageIn)]));
}

function messageIn(row: MessagesTable): Message {
  return {
    transport: row.transport,
    recipient: row.recipient,
    state: row.state === "sending" ? "unknown" : row.state,
    providerId: row.provider_id ?? undefined,
    begunAt: row.begun_at,
    copies: row.copies,
  };
}

/** Records that messages are about to leave, unless a cap or the limit of copies forbids it. */
export async function recordIntent(
  transaction: Transaction<Tables>,
  { deliveryId, fence }: Pick<LeasedDelivery, "deliveryId" | "fence">,
  { transport, recipients, caps, now }: Intent,
): Promise<IntentResult> {
  const held = await transaction
    .selectFrom("deliveries")
    .select("id")
    .where("id", "=", deliveryId)
    .where("state", "=", "leased")
    .where("fence", "=", fence)
    .executeTakeFirst();
  if (!held) return { outcome: "lost" };
  // A mail server cannot be asked whether it has one already.
  if (transport === "mail") {
    const sent = (await messagesOf(transaction, [deliveryId])).get(deliveryId) ?? [];
    const spent = sent.some(
      (each) =>
        each.transport === transport &&
        recipients.includes(each.recipient) &&
        each.copies >= MOST_MAIL_COPIES,
    );
    if (spent) return { outcome: "spent" };
  }
  const texts = recipients.length;
  const freeAt = caps
    ? await roomForTexts(transaction, { texts, of: { deliveryId }, caps, now })
    : now;
  if (freeAt > now) return { outcome: "capped", freeAt };
  const trying = { state: "sending", begun_at: now, charged_at: caps ? now : null } as const;
  for (const recipient of recipients) {
    await transaction
      .insertInto("messages")
      .values({ delivery_id: deliveryId, transport, recipient, copies: 1, ...trying })
      .onConflict((conflict) =>
        conflict.columns(["delivery_id", "transport", "recipient"]).doUpdateSet((expression) => ({
          ...trying,
          copies: expression("messages.copies", "+", 1),
        })),
      )
      .execute();
  }
  return { outcome: "recorded" };
}

/** Writes what an attempt learned. What did not go out is not charged. */
export async function noteMessages(
  transaction: Transaction<Tables>,
  deliveryId: number,
  messages: readonly Message[],
): Promise<void> {
  for (const { transport, recipient, state, providerId, begunAt, copies } of messages) {
    const free = state === "unsent" || (state === "refused" && providerId === undefined);
    const known = { state, provider_id: providerId ?? null, begun_at: begunAt, copies };
    await transaction
      .insertInto("messages")
      .values({ delivery_id: deliveryId, transport, recipient, ...known, charged_at: null })
      .onConflict((conflict) =>
        conflict
          .columns(["delivery_id", "transport", "recipient"])
          .doUpdateSet({ ...known, ...(free ? { charged_at: null } : {}) }),
      )
      .execute();
  }
}
