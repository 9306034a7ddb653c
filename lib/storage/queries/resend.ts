import type { Transaction } from "kysely";
import { type DeliveryState, TRANSITIONS } from "#lib/application/delivery-states.ts";
import type { Tables } from "#lib/storage/tables.ts";

/** What became of the owner's wish to have an application sent now. */
export type Resent =
  /** It goes out as soon as a worker looks, from the state that it was in. */
  | { outcome: "due"; from: DeliveryState }
  /** The owner has it already, since `settledAt`; only `again` sends it once more. */
  | { outcome: "delivered"; settledAt: number | undefined }
  /** A worker or a provider has it just now. */
  | { outcome: "under-way"; state: "leased" | "sent" }
  /** It waits to go out together with others in one mail, at `dueAt`. */
  | { outcome: "in-digest"; dueAt: number }
  | { outcome: "absent" };

/**
 * Makes a delivery due at once, unless it is under way; what was delivered only with `again`. What was
 * refused may be tried at once, for a person says that it was mended; where a message may be out, the doubt
 * stays, and the provider is asked before it is sent again.
 */
export async function resend(
  transaction: Transaction<Tables>,
  applicationId: string,
  { again, now }: { again: boolean; now: number },
): Promise<Resent> {
  const row = await transaction
    .selectFrom("deliveries")
    .select(["id", "state", "fence", "next_attempt_at", "settled_at", "digest", "repeats"])
    .where("application_id", "=", applicationId)
    .executeTakeFirst();
  if (!row) return { outcome: "absent" };
  const { state } = row;
  if (state === "leased" || state === "sent") return { outcome: "under-way", state };
  // Its Message-ID is the digest's time: a digest that leaves early would be taken for a repeat of a later one.
  if (row.digest !== null) return { outcome: "in-digest", dueAt: row.next_attempt_at };
  if (state === "delivered" && !again) {
    return { outcome: "delivered", settledAt: row.settled_at ?? undefined };
  }
  const settled = TRANSITIONS[state].includes("waiting");
  const { numUpdatedRows } = await transaction
    .updateTable("deliveries")
    .set({
      next_attempt_at: now,
      ...(settled ? { state: "waiting", attempts: 0, settled_at: null, transport: null } : {}),
      ...(state === "delivered" ? { repeats: row.repeats + 1 } : {}),
    })
    .where("id", "=", row.id)
    // Where a database lets a worker lease the row meanwhile, the worker has it.
    .where("state", "=", state)
    .where("fence", "=", row.fence)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) return { outcome: "under-way", state: "leased" };
  if (settled) {
    // A person asks for it: what may be out already is no reason to hold it back.
    await transaction
      .updateTable("messages")
      .set({ copies: 0 })
      .where("delivery_id", "=", row.id)
      .execute();
  }
  await transaction
    .updateTable("messages")
    .set({ state: "unsent" })
    .where("delivery_id", "=", row.id)
    .where("state", "in", state === "delivered" ? ["refused", "sent", "delivered"] : ["refused"])
    .execute();
  return { outcome: "due", from: state };
}
