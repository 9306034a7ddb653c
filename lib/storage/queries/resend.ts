import type { Transaction } from "kysely";
import { TRANSITIONS } from "#lib/storage/states.ts";
import type { Resent } from "#lib/storage/store.ts";
import type { Tables } from "#lib/storage/tables.ts";

/**
 * See Store.resend. What was refused may be tried at once, for a person says that it was mended; where a
 * message may be out, the doubt stays, and the provider is asked before it is sent again.
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
      ...(settled ? { state: "waiting", attempts: 0, settled_at: null, carrier: null } : {}),
      ...(state === "delivered" ? { repeats: row.repeats + 1 } : {}),
    })
    .where("id", "=", row.id)
    // Where a database lets a worker lease the row meanwhile, the worker has it.
    .where("state", "=", state)
    .where("fence", "=", row.fence)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) return { outcome: "under-way", state: "leased" };
  await transaction
    .updateTable("dispatches")
    .set({ state: "unsent" })
    .where("delivery_id", "=", row.id)
    .where("state", "in", state === "delivered" ? ["refused", "sent", "delivered"] : ["refused"])
    .execute();
  return { outcome: "due", from: state };
}
