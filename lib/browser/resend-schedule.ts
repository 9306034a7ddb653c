/** When a page sends what the outbox holds: on load, when the page or the network comes back, and by a timer. */

import { registerServiceWorker, requestBackgroundSync } from "#lib/browser/background.ts";
import { backoffMs } from "#lib/browser/backoff.ts";
import { refresh, setState } from "#lib/browser/outbox-state.ts";
import { type Resent, resendAll } from "#lib/browser/resend.ts";

let running: Promise<Resent> | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let failures = 0;
/** The server asked not to be called before then, by the clock that nobody can set (`performance.now`). */
let notBefore = 0;

/** Begins to watch for chances to send; returns how to stop. */
export function startResending(): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  addEventListener("online", wake, { signal });
  addEventListener("pageshow", (event) => event.persisted && wake(), { signal });
  document.addEventListener(
    "visibilitychange",
    () => document.visibilityState === "visible" && wake(),
    { signal },
  );
  const forgetWorker = registerServiceWorker();
  wake();
  return () => {
    abort.abort();
    clearTimeout(timer);
    forgetWorker();
  };
}

/** Sends now, whatever the timer says: the visitor asked for it, and is told what became of it. */
export async function resendNow(): Promise<void> {
  // Announced here alone: a screen reader must not speak at each of the page's own attempts.
  setState({ sending: true, notSent: false });
  const { left } = await resend();
  setState({ sending: false, notSent: left > 0 });
}

/** A form has left its application to the outbox. */
export function resendLater(retryAfterMs = 0): void {
  notBefore = Math.max(notBefore, performance.now() + retryAfterMs);
  schedule();
  void requestBackgroundSync();
  void refresh();
}

function wake(): void {
  if (performance.now() >= notBefore) {
    void resend();
    return;
  }
  schedule();
  void refresh();
}

function schedule(): void {
  clearTimeout(timer);
  timer = setTimeout(wake, backoffMs(failures, notBefore - performance.now()));
}

function resend(): Promise<Resent> {
  clearTimeout(timer);
  running ??= resendOnce().finally(() => {
    running = undefined;
  });
  return running;
}

async function resendOnce(): Promise<Resent> {
  await refresh();
  const resent = await resendAll({ lockWaitMs: 0, mayChangeKeys: true });
  await refresh();
  failures = resent.left === 0 ? 0 : failures + 1;
  if (resent.left > 0) {
    notBefore = performance.now() + resent.retryAfterMs;
    schedule();
    void requestBackgroundSync();
  }
  return resent;
}
