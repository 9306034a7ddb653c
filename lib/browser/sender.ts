/**
 * Sends what this device keeps: at the press, on load, when the page or the network comes back, and by a timer. The
 * page and the service worker send by the same function, one at a time on a device (Web Locks, where they exist).
 */
import type { Receipt } from "#lib/application/answer.ts";
import { registerServiceWorker, requestBackgroundSync } from "#lib/browser/background.ts";
import { isHeld } from "#lib/browser/holds.ts";
import { newKey } from "#lib/browser/names.ts";
import type { Change, Kept, Waiting } from "#lib/browser/record.ts";
import { type Outcome, type Reason, send } from "#lib/browser/send.ts";
import { allRecords, change, find, put, refresh, remove } from "#lib/browser/store.ts";

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
    const { reason, errorText, retryAfterMs } = outcome;
    if (!isStored) {
      // The visitor hears that nobody has it: only the form still does.
      await remove(id, await change(id, { type: "unkept" }));
      return { kind: "unkept", reason, errorText };
    }
    notBefore = Math.max(notBefore, performance.now() + retryAfterMs);
    schedule();
    return { kind: "kept", reason };
  } finally {
    pressing.delete(id);
  }
}

/** Sends one version, and records what became of it. A key that the server has for other values is changed once. */
async function attempt(record: Waiting, byPress: boolean, isRenamed = false): Promise<Outcome> {
  const outcome = await send(record);
  const after = await change(record.id, changeOf(outcome, record, byPress));
  const hasNewKey = after?.state === "waiting" && after.key !== record.key;
  return outcome.kind === "reused" && hasNewKey && !isRenamed
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

/** Sends every record that waits, and removes what is past its time. Resolves to how many still wait. Never throws. */
async function sendEach(): Promise<number> {
  // A database that does not answer may hold more.
  let left = (await refresh()) ? 0 : 1;
  for (const { id } of allRecords()) {
    if (pressing.has(id)) continue;
    const record = await change(id, { type: "time", now: Date.now() });
    if (record?.state !== "waiting" || pressing.has(id)) continue;
    const outcome = (await isHeld(id)) ? undefined : await attempt(record, false);
    if (find(id)?.state === "waiting") left += 1;
    if (outcome?.kind === "later") notBefore = performance.now() + outcome.retryAfterMs;
  }
  return left;
}

/**
 * `waits`: for another sender; otherwise that one sees to it. Without the lock two tabs may send the same record: its
 * key makes that harmless.
 */
export async function sendAll({ waits }: { waits: boolean }): Promise<number> {
  try {
    return await navigator.locks.request("sender", { ifAvailable: !waits }, (lock) =>
      lock ? sendEach() : 1,
    );
  } catch {
    // Missing or forbidden.
    return sendEach();
  }
}

let running: Promise<number> | undefined;
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
  void registerServiceWorker();
  wake();
  return () => {
    abort.abort();
    clearTimeout(timer);
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
  if (performance.now() >= notBefore) void run();
  else {
    schedule();
    void refresh();
  }
}

function run(): Promise<number> {
  clearTimeout(timer);
  running ??= sendAll({ waits: false })
    .then(ended)
    .finally(() => {
      running = undefined;
    });
  return running;
}

function ended(left: number): number {
  failures = left === 0 ? 0 : failures + 1;
  if (left > 0) {
    schedule();
    // What the page says of it depends on the answer.
    void requestBackgroundSync().then(refresh);
  }
  return left;
}

/** Sends when the form has been left that held a record, or when its time has come. */
export function schedule(stepMs = WAITS_MS[failures] ?? LONGEST_WAIT_MS): void {
  clearTimeout(timer);
  // Up to a fifth later, so that browsers do not come all at once after an outage.
  const wait = Math.max(notBefore - performance.now(), stepMs) * (1 + Math.random() / 5);
  timer = setTimeout(wake, wait);
}
