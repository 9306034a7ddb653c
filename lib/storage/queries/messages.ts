/** One recipient's message: noted before it leaves, counted for the caps, and what became of it. */
import type { Kysely, Transaction } from "kysely";
import type {
  Intent,
  IntentResult,
  LeasedDelivery,
  Message,
  SmsCaps,
} from "#lib/application/delivery.ts";
import type { MessagesTable, Tables } from "#lib/storage/tables.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

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
  };
}

/** Notes that messages are about to leave, within the caps, before they do. */
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
  if (
    caps &&
    (await mayExceed(transaction, { deliveryId, transport, now }, caps, recipients.length))
  ) {
    const charged = await chargedLately(transaction, { deliveryId, transport, now });
    const freeAt = Math.max(
      roomAt(charged, caps.hourly, HOUR_MS, recipients.length, now),
      roomAt(charged, caps.daily, DAY_MS, recipients.length, now),
    );
    if (freeAt > now) return { outcome: "capped", freeAt };
  }
  const trying = { state: "sending", begun_at: now, charged_at: caps ? now : null } as const;
  for (const recipient of recipients) {
    await transaction
      .insertInto("messages")
      .values({ delivery_id: deliveryId, transport, recipient, ...trying })
      .onConflict((conflict) =>
        conflict.columns(["delivery_id", "transport", "recipient"]).doUpdateSet(trying),
      )
      .execute();
  }
  return { outcome: "recorded" };
}

interface Charging {
  deliveryId: number;
  transport: Intent["transport"];
  now: number;
}

/** Counts within the index, and this delivery's own with the others: only near a cap the times are read. */
async function mayExceed(
  transaction: Transaction<Tables>,
  { transport, now }: Charging,
  caps: SmsCaps,
  messages: number,
): Promise<boolean> {
  const counted = async (windowMs: number) => {
    const row = await transaction
      .selectFrom("messages")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("transport", "=", transport)
      .where("charged_at", ">", now - windowMs)
      .where("charged_at", "<", now + windowMs)
      .executeTakeFirstOrThrow();
    return Number(row.count);
  };
  const today = (await counted(DAY_MS)) + messages;
  if (today <= Math.min(caps.daily, caps.hourly)) return false;
  return today > caps.daily || (await counted(HOUR_MS)) + messages > caps.hourly;
}

/** When messages of other deliveries were charged, the newest first; a day around now, as clocks jump. */
async function chargedLately(
  transaction: Transaction<Tables>,
  { deliveryId, transport, now }: Charging,
): Promise<number[]> {
  const rows = await transaction
    .selectFrom("messages")
    .select("charged_at")
    .where("transport", "=", transport)
    .where("charged_at", ">", now - DAY_MS)
    .where("charged_at", "<", now + DAY_MS)
    .where("delivery_id", "!=", deliveryId)
    .orderBy("charged_at", "desc")
    .execute();
  return rows.map((row) => row.charged_at).filter((time) => time !== null);
}

/** When this many messages more fit under a cap; at once is `now`. */
function roomAt(
  charged: readonly number[],
  cap: number,
  windowMs: number,
  messages: number,
  now: number,
): number {
  const within = charged.filter((time) => Math.abs(now - time) < windowMs);
  const leaves = within[Math.max(0, cap - messages)];
  return leaves === undefined ? now : Math.min(leaves, now) + windowMs;
}

/** Writes what an attempt learned. What did not go out is not charged. */
export async function noteMessages(
  transaction: Transaction<Tables>,
  deliveryId: number,
  messages: readonly Message[],
): Promise<void> {
  for (const { transport, recipient, state, providerId, begunAt } of messages) {
    const free = state === "unsent" || (state === "refused" && providerId === undefined);
    await transaction
      .updateTable("messages")
      .set({
        state,
        provider_id: providerId ?? null,
        begun_at: begunAt,
        ...(free ? { charged_at: null } : {}),
      })
      .where("delivery_id", "=", deliveryId)
      .where("transport", "=", transport)
      .where("recipient", "=", recipient)
      .execute();
  }
}
