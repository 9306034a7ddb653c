/** One round through the outbox: what a page's drain and the service worker have in common. */
import { end, forgetEnding, list, markRefused, mayHoldEntries } from "#lib/browser/outbox.ts";
import { isExpired, isPast, type OutboxEntry } from "#lib/browser/outbox-entry.ts";
import { send } from "#lib/browser/send.ts";

/** Whoever goes through the outbox holds this lock: one tab, or the service worker. */
export const DRAIN_LOCK = "training-applications-drain";

export interface Round {
  /** How many still wait, other than those that this page's own form has. */
  left: number;
  /** How long the server asked to wait. */
  retryAfterMs: number;
}

interface Conditions {
  /** Leave it alone: `mine` will be dealt with here, `others` must be asked for again. */
  heldBy: (key: string) => "mine" | "others" | undefined;
}

/** Sends what waits, ends what is over its time. @throws when the database does not answer. */
export async function goThrough({ heldBy }: Conditions): Promise<Round> {
  const round: Round = { left: 0, retryAfterMs: 0 };
  if (!(await mayHoldEntries())) return round;
  const { entries, endings } = await list();
  const now = Date.now();
  for (const ending of endings.filter((one) => isPast(one, now))) {
    await forgetEnding(ending.idempotencyKey);
  }
  for (const entry of entries) {
    const { idempotencyKey } = entry;
    const holder = heldBy(idempotencyKey);
    if (holder === "mine") continue;
    if (holder === "others") {
      if (entry.refusal === undefined) round.left += 1;
    } else if (isExpired(entry, now)) {
      await end({ idempotencyKey, endedAt: now, kind: "expired" });
    } else if (entry.refusal === undefined) {
      await settle(entry, round);
    }
  }
  return round;
}

/** Sends one entry, and notes what became of it. */
async function settle(entry: OutboxEntry, round: Round): Promise<void> {
  const { idempotencyKey } = entry;
  const outcome = await send(entry);
  if (outcome.kind === "received") {
    await end({ idempotencyKey, endedAt: Date.now(), kind: "sent", receipt: outcome.receipt });
  } else if (outcome.kind === "refused") {
    const { errorText, errors } = outcome;
    await markRefused(idempotencyKey, { errorText, errors });
  } else {
    round.left += 1;
    round.retryAfterMs = Math.max(round.retryAfterMs, outcome.retryAfterMs ?? 0);
  }
}
