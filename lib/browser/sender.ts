/**
 * Sends what this device keeps: at the press, on load, when the page or the network comes back, and by a timer. The
 * page and the service worker send by the same function, one at a time on a device (Web Locks, where they exist).
 */
import { requestBackgroundSync } from "#lib/browser/background.ts";
import { isHeld, locked } from "#lib/browser/holds.ts";
import type { Outcome, Reason, Waiting } from "#lib/browser/record.ts";
import { send } from "#lib/browser/send.ts";
import { change, find, records, refresh, write } from "#lib/browser/store.ts";

const WAITS_SECONDS = [5, 15, 30, 60, 120];
const LONGEST_WAIT_SECONDS = 300;

/** What a press has come to. Not sent, it is `kept` on this device, or `unkept` where the browser cannot keep it. */
export type SubmitResult =
  | Extract<Outcome, { kind: "received" | "refused" }>
  | { kind: "kept" | "unkept"; reason?: Reason | undefined; errorText?: string | undefined };

/** The records that a press of this page is sending. */
const pressing = new Set<string>();

/** Sends a record that was just pressed. What it writes before its first `await` survives the end of the tab. */
export async function press(record: Waiting): Promise<SubmitResult> {
  const { id } = record;
  pressing.add(id);
  try {
    const isStored = await write(id, record);
    if (isStored) void requestBackgroundSync();
    const outcome = await attempt(record, { isStored });
    if (outcome.kind === "received" || outcome.kind === "refused") return outcome;
    // The visitor hears that nobody has it: only the form still does.
    if (!isStored) await write(id, undefined, find(id));
    schedule();
    return { ...outcome, kind: isStored ? "kept" : "unkept" };
  } finally {
    pressing.delete(id);
  }
}

/** Sends one version, and records what became of it. A key that the server has for other values is changed once. */
async function attempt(
  sent: Waiting,
  byPress?: { isStored: boolean },
  isRenamed = false,
): Promise<Outcome> {
  let outcome = await send(sent);
  if (outcome.kind === "reused" && isRenamed) outcome = { ...outcome, kind: "later" };
  const after = await change(sent.id, {
    type: "answered",
    sent,
    outcome,
    byPress: byPress !== undefined,
    isKept: !byPress || (outcome.kind === "refused" ? sent.wasKept : byPress.isStored),
    now: Date.now(),
  });
  const hasNewKey = after?.state === "waiting" && after.key !== sent.key;
  return outcome.kind === "reused" && hasNewKey ? attempt(after, byPress, true) : outcome;
}

/** Sends every record that waits, and removes what is past its time. Resolves to how many still wait. */
async function sendEach(): Promise<number> {
  // A database that does not answer may hold more.
  let left = (await refresh()) ? 0 : 1;
  const isLook = typeof document !== "undefined" && !document.hidden;
  for (const { id } of records()) {
    if (pressing.has(id)) continue;
    const record = await change(id, { type: "time", now: Date.now(), isLook });
    if (record?.state !== "waiting" || pressing.has(id)) continue;
    if (!(await isHeld(id))) await attempt(record);
    if (find(id)?.state === "waiting") left += 1;
  }
  return left;
}

/**
 * Sends when no other page and no worker does. Without the lock two tabs may send the same record: its key makes that
 * harmless.
 */
export async function sendAll(): Promise<number> {
  return (await locked(() => navigator.locks.request("sender", sendEach))) ?? sendEach();
}

let running: Promise<void> | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let failures = 0;

/** Sends all that waits, and plans the next time. One run at a time. */
export function run(): Promise<void> {
  clearTimeout(timer);
  running ??= sendAll()
    .then((left) => {
      failures = left === 0 ? 0 : failures + 1;
      if (left === 0) return;
      schedule();
      // The answer decides which promise the page shows.
      void requestBackgroundSync().then(refresh);
    })
    .finally(() => {
      running = undefined;
    });
  return running;
}

/** Sends when the form has been left that held a record, or when its time has come. */
export function schedule(seconds = WAITS_SECONDS[failures] ?? LONGEST_WAIT_SECONDS): void {
  clearTimeout(timer);
  // Up to a fifth later, so that browsers do not come all at once after an outage.
  timer = setTimeout(run, seconds * 1_000 * (1 + Math.random() / 5));
}
