/** Sends what the outbox holds: on load, when the page or the network comes back, and by a timer. */
import { askForSync } from "#lib/browser/background-sync.ts";
import { backoffMs } from "#lib/browser/backoff.ts";
import { heldEverywhere } from "#lib/browser/held-everywhere.ts";
import { isHeld } from "#lib/browser/hold.ts";
import { refresh, showSending } from "#lib/browser/outbox-refresh.ts";
import { registerServiceWorker } from "#lib/browser/register-service-worker.ts";
import { DRAIN_LOCK, goThrough } from "#lib/browser/round.ts";
import { takeUp, writtenAhead } from "#lib/browser/take-up.ts";

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
  const forgetWorker = registerServiceWorker(() => void show());
  wake();
  return () => {
    abort.abort();
    clearTimeout(timer);
    forgetWorker();
  };
}

/** Sends what waits now, whatever the timer and other tabs say: the visitor asked for it. */
export function drainNow(): Promise<void> {
  // Only then it is said: an attempt of the page's own must not speak to a screen reader each time.
  showSending(true);
  return start(async () => new Set());
}

/** A form's own attempt has failed and the entry is the drain's from now on. */
export async function drainLater(retryAfterMs = 0): Promise<void> {
  notBefore = Math.max(notBefore, Date.now() + retryAfterMs);
  schedule();
  void askForSync();
  await takeUp(writtenAhead(), (key) => (isHeld(key) ? "mine" : undefined));
  await show();
}

function wake(): void {
  if (Date.now() >= notBefore) {
    void start(heldEverywhere);
    return;
  }
  schedule();
  void show();
}

function schedule(): void {
  clearTimeout(timer);
  timer = setTimeout(wake, backoffMs(failures, notBefore - Date.now()));
}

function start(spared: () => Promise<Set<string>>): Promise<void> {
  clearTimeout(timer);
  running ??= drain(spared).finally(() => {
    running = undefined;
  });
  return running;
}

/** Never throws: a round that could not be gone through is tried again. */
async function drain(spared: () => Promise<Set<string>>): Promise<void> {
  let finished = false;
  try {
    finished = await alone(() => round(spared));
  } catch {
    // The database does not answer now; what it holds is safe there, and the next round asks again.
  }
  showSending(false);
  failures = finished ? 0 : failures + 1;
  if (finished) return;
  schedule();
  void askForSync();
}

/** One tab at a time where the browser can say so; elsewhere the key makes a second sender harmless. */
async function alone(work: () => Promise<boolean>): Promise<boolean> {
  if (!("locks" in navigator)) return work();
  return navigator.locks.request(DRAIN_LOCK, { ifAvailable: true }, async (lock) => {
    if (lock) return work();
    await refresh();
    return false;
  });
}

/** Goes through the outbox once. True when nothing is left that waits. */
async function round(spared: () => Promise<Set<string>>): Promise<boolean> {
  await refresh();
  // Read first: what a form writes ahead from here on is not among them, or is seen to be held.
  const presses = writtenAhead();
  const others = await spared();
  const heldBy = (key: string) => {
    if (isHeld(key)) return "mine";
    return others.has(key) ? "others" : undefined;
  };
  const ahead = await takeUp(presses, heldBy);
  const { left, retryAfterMs } = await goThrough({ heldBy });
  if (left > 0) notBefore = Date.now() + retryAfterMs;
  await refresh();
  return left + ahead === 0;
}

async function show(): Promise<void> {
  try {
    await refresh();
  } catch {
    // Shown by the next round; nothing is lost by not showing it now.
  }
}
