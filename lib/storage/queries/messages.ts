/** One recipient's message: noted before it leaves, counted for the caps, and what became of it. */
import type { Kysely, Transaction } from "kysely";
import type { Beginning, Begun, Dispatch, LeasedDelivery, SmsCaps } from "#lib/storage/store.ts";
import type { DispatchesTable, Tables } from "#lib/storage/tables.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** The dispatches of deliveries, by delivery; one that was under way when its process died is in doubt. */
export async function dispatchesOf(
  database: Kysely<Tables>,
  deliveryIds: readonly number[],
): Promise<Map<number, Dispatch[]>> {
  if (deliveryIds.length === 0) return new Map();
  const rows = await database
    .selectFrom("dispatches")
    .selectAll()
    .where("delivery_id", "in", deliveryIds)
    .execute();
  const byDelivery = Map.groupBy(rows, (row) => row.delivery_id);
  return new Map([...byDelivery].map(([id, own]) => [id, own.map(dispatchIn)]));
}

function dispatchIn(row: DispatchesTable): Dispatch {
  return {
    carrier: row.carrier,
    recipient: row.recipient,
    state: row.state === "sending" ? "unknown" : row.state,
    providerId: row.provider_id ?? undefined,
    begunAt: row.begun_at,
  };
}

/** See Store.begin. */
export async function beginDispatches(
  transaction: Transaction<Tables>,
  { deliveryId, fence }: Pick<LeasedDelivery, "deliveryId" | "fence">,
  { carrier, recipients, caps, now }: Beginning,
): Promise<Begun> {
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
    (await mayExceed(transaction, { deliveryId, carrier, now }, caps, recipients.length))
  ) {
    const charged = await chargedLately(transaction, { deliveryId, carrier, now });
    const freeAt = Math.max(
      roomAt(charged, caps.hourly, HOUR_MS, recipients.length, now),
      roomAt(charged, caps.daily, DAY_MS, recipients.length, now),
    );
    if (freeAt > now) return { outcome: "capped", freeAt };
  }
  const trying = { state: "sending", begun_at: now, charged_at: caps ? now : null } as const;
  for (const recipient of recipients) {
    await transaction
      .insertInto("dispatches")
      .values({ delivery_id: deliveryId, carrier, recipient, ...trying })
      .onConflict((conflict) =>
        conflict.columns(["delivery_id", "carrier", "recipient"]).doUpdateSet(trying),
      )
      .execute();
  }
  return { outcome: "begun" };
}

interface Charging {
  deliveryId: number;
  carrier: Beginning["carrier"];
  now: number;
}

/** Counts within the index, and this delivery's own with the others: only near a cap the times are read. */
async function mayExceed(
  transaction: Transaction<Tables>,
  { carrier, now }: Charging,
  caps: SmsCaps,
  messages: number,
): Promise<boolean> {
  const counted = async (windowMs: number) => {
    const row = await transaction
      .selectFrom("dispatches")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("carrier", "=", carrier)
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
  { deliveryId, carrier, now }: Charging,
): Promise<number[]> {
  const rows = await transaction
    .selectFrom("dispatches")
    .select("charged_at")
    .where("carrier", "=", carrier)
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
export async function noteDispatches(
  transaction: Transaction<Tables>,
  deliveryId: number,
  dispatches: readonly Dispatch[],
): Promise<void> {
  for (const { carrier, recipient, state, providerId, begunAt } of dispatches) {
    const free = state === "unsent" || (state === "refused" && providerId === undefined);
    await transaction
      .updateTable("dispatches")
      .set({
        state,
        provider_id: providerId ?? null,
        begun_at: begunAt,
        ...(free ? { charged_at: null } : {}),
      })
      .where("delivery_id", "=", deliveryId)
      .where("carrier", "=", carrier)
      .where("recipient", "=", recipient)
      .execute();
  }
}
