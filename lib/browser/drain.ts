/** Sends what the outbox holds: on load, when the page or the network comes back, and by a timer. */
import { backoffMs } from "#lib/browser/backoff.ts";
import { end, forgetEnding, markRefused } from "#lib/browser/outbox.ts";
import { isExpired, isPast, type OutboxEntry } from "#lib/browser/outbox-entry.ts";
import { isHeld, refresh, showSending } from "#lib/browser/outbox-view.ts";
import { send } from "#lib/browser/send.ts";

const LOCK = "training-applications-drain";

let running: Promise<void> | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let failures = 0;
/** The server asked not to be called before then, ms since the epoch. */
let notBefore = 0;

/** Begins to watch for chances to send; returns how to stop. */
export function startDrain(): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  addEventListener("online", wake, { signal });
  addEventListener("pageshow", (event) => event.persisted && wake(), { signal });
  document.addEventListener(
    "visibilitychange",
    () => document.visibilityState === "visible" && wake(),
    { signal },
  );
  wake();
  return () => {
    abort.abort();
    clearTimeout(timer);
  };
}

/** Sends what waits now, whatever the timer says: the visitor asked for it. */
export function drainNow(): Promise<void> {
  clearTimeout(timer);
  running ??= drain().finally(() => {
    running = undefined;
  });
  return running;
}

/** A form's own attempt has failed and the entry is the drain's from now on. */
export async function drainLater(retryAfterMs = 0): Promise<void> {
  notBefore = Math.max(notBefore, Date.now() + retryAfterMs);
  schedule();
  await show();
}

function wake(): void {
  if (Date.now() >= notBefore) {
    void drainNow();
    return;
  }
  schedule();
  void show();
}

function schedule(): void {
  clearTimeout(timer);
  timer = setTimeout(wake, backoffMs(failures, notBefore - Date.now()));
}

/** Never throws: a round that could not be gone through is tried again. */
async function drain(): Promise<void> {
  let finished = false;
  try {
    finished = await alone(round);
  } catch {
    // The database does not answer now; what it holds is safe there, and the next round asks again.
  }
  showSending(false);
  failures = finished ? 0 : failures + 1;
  if (!finished) schedule();
}

/** One tab at a time where the browser can say so; elsewhere the key makes a second sender harmless. */
async function alone(work: () => Promise<boolean>): Promise<boolean> {
  if (!("locks" in navigator)) return work();
  return navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (lock) return work();
    await refresh();
    return false;
  });
}

/** Goes through the outbox once. True when nothing is left that waits. */
async function round(): Promise<boolean> {
  const { waiting, refused, endings } = await refresh();
  const now = Date.now();
  for (const ending of endings.filter((one) => isPast(one, now))) {
    await forgetEnding(ending.idempotencyKey);
  }
  let left = 0;
  for (const entry of [...waiting, ...refused]) {
    if (isHeld(entry.idempotencyKey)) continue;
    if (isExpired(entry, now)) {
      await end({ idempotencyKey: entry.idempotencyKey, endedAt: now, kind: "expired" });
    } else if (entry.refusal === undefined && !(await settle(entry))) {
      left += 1;
    }
  }
  await refresh();
  return left === 0;
}

/** Sends one entry. True when that settled it: the server has it, or will not take it as it is. */
async function settle(entry: OutboxEntry): Promise<boolean> {
  const { idempotencyKey } = entry;
  showSending(true);
  const outcome = await send(entry);
  if (outcome.kind === "received") {
    await end({ idempotencyKey, endedAt: Date.now(), kind: "sent", receipt: outcome.receipt });
    return true;
  }
  if (outcome.kind === "refused") {
    const { errorText, errors } = outcome;
    await markRefused(idempotencyKey, { errorText, errors });
    return true;
  }
  notBefore = Date.now() + (outcome.retryAfterMs ?? 0);
  return false;
}

async function show(): Promise<void> {
  try {
    await refresh();
  } catch {
    // Shown by the next round; nothing is lost by not showing it now.
  }
}
