/** Sends queued records, in pages and in the service worker. A Web Lock lets one page or worker send at a time. */
import { requestBackgroundSync } from "#lib/browser/background.ts";
import * as locks from "#lib/browser/locks.ts";
import { outbox } from "#lib/browser/outbox.ts";
import type { DeviceRecord, Queued, SendOutcome } from "#lib/browser/record.ts";
import { sendRecord } from "#lib/browser/send-record.ts";

const RETRY_SECONDS = [5, 15, 30, 60, 120];
const LONGEST_RETRY_SECONDS = 300;
/** Longest wait for a page's lock: longer than a request (10 s), because a phone may freeze a page with its locks. */
const LOCK_WAIT_MS = 12_000;

const submissionLock = (id: string) => `submission/${id}`;
const editingLock = (id: string) => `editing/${id}`;

const BROWSER_DEPS = {
  outbox,
  send: sendRecord,
  locks,
  requestBackgroundSync,
  /** Undefined in the service worker. */
  isPageVisible: typeof document === "undefined" ? undefined : () => !document.hidden,
};

export class Sender {
  readonly #deps: typeof BROWSER_DEPS;
  #running: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;

  constructor(deps = BROWSER_DEPS) {
    this.#deps = deps;
  }

  /** Commits a record at once, then sends it. `stored` resolves to true if the record is on the disk. */
  submit(record: Queued, replaced?: DeviceRecord) {
    const lock = this.#deps.locks.requestLock(submissionLock(record.id));
    const stored = this.#deps.outbox.submit(record, replaced);
    // Background sync may wake the service worker at once. The page's lock keeps the worker from sending the record.
    void stored.then(async (isStored) => {
      await lock.granted;
      if (isStored) await this.#deps.requestBackgroundSync();
    });
    const outcome = this.#sendSubmitted(record, stored, replaced).finally(() => {
      lock.release();
      this.#deps.outbox.notifyOtherPages();
    });
    return { stored, outcome };
  }

  isBeingSubmitted(id: string): boolean {
    return this.#deps.locks.isLocked(submissionLock(id));
  }

  isLockedForEditing(id: string): boolean {
    return this.#deps.locks.isLocked(editingLock(id));
  }

  /** Keeps every page and the service worker from sending the record until the returned function is called. */
  lockForEditing(id: string): () => void {
    const { locks, outbox } = this.#deps;
    const lock = locks.requestLock(editingLock(id));
    void lock.granted.then(() => outbox.notifyOtherPages());
    return () => {
      lock.release();
      outbox.notifyOtherPages();
    };
  }

  /** Sends the queued records that no page submits or edits. Resolves to the number of records that stay queued. */
  async sendQueued(): Promise<number> {
    const lock = await this.#waitForLock("sender");
    return this.#sendEach().finally(() => lock.release());
  }

  /** Sends the queued records, and schedules another run if some remain. A call during a run joins the run. */
  run(): Promise<void> {
    clearTimeout(this.#timer);
    this.#running ??= this.sendQueued()
      .then((left) => {
        this.#failures = left === 0 ? 0 : this.#failures + 1;
        if (left === 0) return;
        this.schedule();
        // The browser's answer decides which sentence the page shows about a queued application.
        void this.#deps.requestBackgroundSync().then(() => this.#deps.outbox.refresh());
      })
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  schedule(seconds = RETRY_SECONDS[this.#failures] ?? LONGEST_RETRY_SECONDS): void {
    clearTimeout(this.#timer);
    // The delay grows by up to a fifth at random, so that browsers do not retry all at once after an outage.
    this.#timer = setTimeout(() => void this.run(), seconds * 1_000 * (1 + Math.random() / 5));
  }

  async #sendSubmitted(record: Queued, stored: Promise<boolean>, replaced?: DeviceRecord) {
    const { outbox } = this.#deps;
    const isStored = await stored;
    const outcome = await this.#sendOnce(record, true);
    if (outcome.kind === "later") this.schedule();
    // The form has reported that the application is not stored, so no page may send the application later.
    const removed = outcome.kind === "later" ? record : replaced;
    if (!isStored && removed) await outbox.apply(removed.id, { type: "removed" });
    return outcome;
  }

  async #sendEach(): Promise<number> {
    const { outbox, locks, isPageVisible } = this.#deps;
    // A database that does not answer may contain a queued record.
    let left = (await outbox.refresh()) ? 0 : 1;
    for (const { id } of outbox.records()) {
      // Only the service worker waits for a page's submission, because the browser rarely repeats a sync event.
      if (!isPageVisible) (await this.#waitForLock(submissionLock(id))).release();
      const isSeen = isPageVisible?.() ?? false;
      const record = await outbox.apply(id, { type: "tick", now: Date.now(), isSeen });
      await locks.refreshLocks();
      if (record?.state === "queued" && !this.isBeingSubmitted(id) && !this.isLockedForEditing(id))
        await this.#sendOnce(record, false);
      if (outbox.find(id)?.state === "queued") left += 1;
    }
    return left;
  }

  async #waitForLock(name: string): Promise<locks.LockRequest> {
    const lock = this.#deps.locks.requestLock(name, LOCK_WAIT_MS);
    await lock.granted;
    return lock;
  }

  async #sendOnce(sent: Queued, toldByForm: boolean): Promise<SendOutcome> {
    const outcome = await this.#deps.send(sent);
    const answered = { type: "answered", sent, outcome, toldByForm, now: Date.now() } as const;
    await this.#deps.outbox.apply(sent.id, answered);
    return outcome;
  }
}

export const sender = new Sender();
