/** Goes through the outbox once: what a page and the service worker have in common. */
import { isLockedHere, whenFree } from "#lib/browser/application-lock.ts";
import { newIdempotencyKey } from "#lib/browser/idempotency-key.ts";
import { changeKey, end, find, forgetEnding, list, put } from "#lib/browser/outbox.ts";
import { isClockWrong, isExpired, isPast, type OutboxEntry } from "#lib/browser/outbox-entry.ts";
import { send } from "#lib/browser/send.ts";

export interface Resent {
  /** How many still wait, other than those that a form of this page is open on. */
  left: number;
  /** How long the server asked to wait. */
  retryAfterMs: number;
}

interface Conditions {
  /** How long to wait for an application that somebody else has locked. */
  lockWaitMs: number;
  /** Only a page can: the service worker does not reach both stores of the outbox. */
  mayChangeKeys: boolean;
}

/** Sends every waiting application that no form is open on, and ends the expired ones. Never throws. */
export async function resendAll(conditions: Conditions): Promise<Resent> {
  const { entries, endings, complete } = await list();
  const now = Date.now();
  for (const ending of endings.filter((one) => isPast(one, now))) {
    await forgetEnding(ending.idempotencyKey);
  }
  // A database that does not answer may hold more.
  const resent: Resent = { left: complete ? 0 : 1, retryAfterMs: 0 };
  for (const { idempotencyKey: key } of entries) {
    if (isLockedHere(key)) continue;
    const settle = () => settleOne(key, resent, conditions);
    if (!(await whenFree(key, settle, conditions.lockWaitMs))) resent.left += 1;
  }
  return resent;
}

/** Under the application's lock: reads it again, for it may have been sent or changed meanwhile. */
async function settleOne(key: string, resent: Resent, conditions: Conditions): Promise<void> {
  const entry = await find(key);
  if (!entry) return;
  const now = Date.now();
  if (isExpired(entry, now)) {
    await end({ idempotencyKey: key, endedAt: now, kind: "expired" });
    return;
  }
  if (entry.refusal !== undefined) return;
  if (isClockWrong(entry, now)) await put({ ...entry, keptAt: now }).durable;
  await sendOne(entry, resent, conditions);
}

async function sendOne(entry: OutboxEntry, resent: Resent, conditions: Conditions): Promise<void> {
  const { idempotencyKey } = entry;
  const outcome = await send(entry);
  switch (outcome.kind) {
    case "received":
      await end({ idempotencyKey, endedAt: Date.now(), kind: "sent", receipt: outcome.receipt });
      return;
    case "refused": {
      const { errorText, errors } = outcome;
      // One that the visitor deleted meanwhile stays deleted.
      const still = await find(idempotencyKey);
      if (still) await put({ ...still, refusal: { errorText, errors } }).durable;
      return;
    }
    case "key-reused":
      if (conditions.mayChangeKeys) await changeKey(entry, newIdempotencyKey());
      resent.left += 1;
      return;
    case "later":
      resent.left += 1;
      resent.retryAfterMs = Math.max(resent.retryAfterMs, outcome.retryAfterMs ?? 0);
  }
}
