/**
 * Sends what this device keeps: at the press, on load, when the page or the network comes back, and by a timer. The
 * page and the service worker send by the same function, one at a time on a device (Web Locks, where they exist).
 */
import type { Receipt } from "#lib/application/answer.ts";
import { registerServiceWorker, requestBackgroundSync } from "#lib/browser/background.ts";
import { newKey, thisTab } from "#lib/browser/names.ts";
import { type Change, isHeld, type Kept, type Waiting } from "#lib/browser/record.ts";
import { type Outcome, type Reason, send } from "#lib/browser/send.ts";
import { change, find, ids, isShownHere, put, refresh, remove } from "#lib/browser/store.ts";

const SECOND_MS = 1_000;
const WAITS_MS = [5, 15, 30, 60, 120].map((seconds) => seconds * SECOND_MS);
const LONGEST_WAIT_MS = 300 * SECOND_MS;

/** What a press has come to. */
export type Result =
  | { kind: "received"; receipt: Receipt }
  /** Not sent, but safe on this device. */
  | { kind: "kept"; reason: Reason | undefined }
  /** Not sent, and the browser cannot keep it. */
  | { kind: "unkept"; reason: Reason | undefined; errorText: string | undefined }
  | { kind: "refused"; errorText: string; errors: Record<string, string> };

/** The records that a press of this page is sending. */
const pressing = new Set<string>();

/**
 * Sends a record that was just pressed. What it writes before its first `await` survives the end of the tab.
 * `wasKept`: the visitor knows that this device has it.
 */
export async function press(record: Waiting, wasKept: boolean): Promise<Result> {
  const { id } = record;
  pressing.add(id);
  try {
    const isStored = await put(record);
    if (isStored) void requestBackgroundSync();
    const outcome = await attempt(record, true);
    if (outcome.kind === "received") return outcome;
    if (outcome.kind === "refused") {
      if (!wasKept) await change(id, { type: "unkept" });
      return { kind: "refused", ...outcome.refusal };
    }
    const reason = outcome.kind === "later" ? outcome.reason : undefined;
    if (isStored) {
      later(outcome);
      return { kind: "kept", reason };
    }
    const errorText = outcome.kind === "later" ? outcome.errorText : outcome.refusal.errorText;
    await setAside(id);
    return { kind: "unkept", reason, errorText };
  } finally {
    pressing.delete(id);
  }
}

/** The visitor hears that nobody has it: only the form still does. */
async function setAside(id: string): Promise<void> {
  const record = await change(id, { type: "unkept" });
  await remove(id, record);
}

/** Sends one version, and records what became of it. A key that the server has for other values is changed once. */
async function attempt(record: Waiting, byPress: boolean, isRenamed = false): Promise<Outcome> {
  const outcome = await send(record);
  const after = await change(record.id, changeOf(outcome, record, byPress));
  const isSame = after?.state === "waiting" && after.version === record.version;
  return outcome.kind === "reused" && isSame && !isRenamed
    ? attempt(after, byPress, true)
    : outcome;
}

function changeOf(outcome: Outcome, sent: Waiting, byPress: boolean): Change {
  switch (outcome.kind) {
    case "received": {
      const { receipt } = outcome;
      return { type: "answered", sent, receipt, byPress, fresh: newKey(), now: Date.now() };
    }
    case "refused":
      return { type: "refused", sent, refusal: outcome.refusal };
    case "reused":
      return { type: "reused", sent, fresh: newKey() };
    case "later":
      return { type: "later", sent };
  }
}

interface Sent {
  /** How many still wait. */
  left: number;
  /** How long to wait at least, because the server asked for it. */
  retryAfterMs: number;
  /** How long to wait at most, because a form may hold its record no longer then. */
  heldMs: number;
}

/** Sends every record that waits, and removes what is past its time. Never throws. `waits`: for another sender. */
export function sendAll({ waits }: { waits: boolean }): Promise<Sent> {
  return oneAtATime(waits, async () => {
    const sent: Sent = { left: 0, retryAfterMs: 0, heldMs: Number.POSITIVE_INFINITY };
    // A database that does not answer may hold more.
    if (!(await refresh())) sent.left += 1;
    for (const id of ids()) await sendOne(id, sent);
    return sent;
  });
}

async function sendOne(id: string, sent: Sent): Promise<void> {
  if (pressing.has(id)) return;
  const now = Date.now();
  const record = await change(id, { type: "time", now });
  if (record?.state !== "waiting" || pressing.has(id)) return;
  if (isHeld(record, now, thisTab(), isShownHere(id))) {
    sent.left += 1;
    sent.heldMs = Math.min(sent.heldMs, (record.held?.until ?? now) - now);
    return;
  }
  const outcome = await attempt(record, false);
  if (find(id)?.state === "waiting") sent.left += 1;
  if (outcome.kind === "later")
    sent.retryAfterMs = Math.max(sent.retryAfterMs, outcome.retryAfterMs ?? 0);
}

/** Without the lock two tabs may send the same record: its key makes that harmless. */
async function oneAtATime(waits: boolean, work: () => Promise<Sent>): Promise<Sent> {
  let begun: Promise<Sent> | undefined;
  const busy = { left: 1, retryAfterMs: 0, heldMs: Number.POSITIVE_INFINITY };
  try {
    return await navigator.locks.request("sender", { ifAvailable: !waits }, (lock) => {
      if (lock) begun = work();
      return begun ?? busy;
    });
  } catch {
    // Missing or forbidden.
    return begun ?? work();
  }
}

let running: Promise<Sent> | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let failures = 0;
/** The server asked not to be called before then, by the clock that nobody can set (`performance.now`). */
let notBefore = 0;

/** Begins to watch for chances to send; returns how to stop. */
export function startSending(): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  addEventListener("online", wake, { signal });
  addEventListener("pageshow", ({ persisted }) => persisted && wake(), { signal });
  document.addEventListener("visibilitychange", () => document.hidden || wake(), { signal });
  const forgetWorker = registerServiceWorker();
  wake();
  return () => {
    abort.abort();
    clearTimeout(timer);
    forgetWorker();
  };
}

/** Sends what the visitor sees waiting, also when the store has lost it. True when it waits no longer. */
export async function sendNow(record: Kept): Promise<boolean> {
  await refresh();
  if (!find(record.id)) await put(record);
  await run();
  return find(record.id)?.state !== "waiting";
}

/** A chance to send: at once, unless the server asked to wait. */
function wake(): void {
  if (performance.now() >= notBefore) {
    void run();
    return;
  }
  schedule();
  void refresh();
}

function later(outcome: Outcome): void {
  const waitMs = outcome.kind === "later" ? (outcome.retryAfterMs ?? 0) : 0;
  notBefore = Math.max(notBefore, performance.now() + waitMs);
  schedule();
}

function run(): Promise<Sent> {
  clearTimeout(timer);
  running ??= runOnce().finally(() => {
    running = undefined;
  });
  return running;
}

async function runOnce(): Promise<Sent> {
  const sent = await sendAll({ waits: false });
  failures = sent.left === 0 ? 0 : failures + 1;
  if (sent.left > 0) {
    notBefore = performance.now() + sent.retryAfterMs;
    schedule(sent.heldMs);
    // What the page says of it depends on the answer.
    void requestBackgroundSync().then(refresh);
  }
  return sent;
}

/** Up to a fifth later than the step says, so that browsers do not come all at once after an outage. */
export function schedule(atMostMs = Number.POSITIVE_INFINITY): void {
  const step = WAITS_MS[failures] ?? LONGEST_WAIT_MS;
  const wait = Math.max(notBefore - performance.now(), Math.min(step, atMostMs + SECOND_MS));
  clearTimeout(timer);
  timer = setTimeout(wake, wait * (1 + Math.random() / 5));
}
