/**
 * Has the entries of this device, as this page last read or wrote them, and sends the applications among them. Several
 * pages and the service worker may send one at once: by its key, the server stores it once and gives all one number.
 */
import { requestBackgroundSync } from "#lib/browser/background-sync.ts";
import { changeEntry, DATABASE_NAME, readEntries, writeEntry } from "#lib/browser/database.ts";
import {
  applyOutcome,
  type Entry,
  isExpiredReceipt,
  isKept,
  isWaiting,
  type SendOutcome,
  type SubmittedApplication,
} from "#lib/browser/entry.ts";
import { sendApplication } from "#lib/browser/send-application.ts";

const FIRST_RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 300;

const BROWSER_DEPS = {
  readEntries,
  writeEntry,
  changeEntry,
  send: (kept: SubmittedApplication) => sendApplication(kept),
  requestBackgroundSync,
  /** @throws when BroadcastChannel is missing or forbidden */
  openChannel: (): Pick<BroadcastChannel, "postMessage" | "onmessage"> =>
    new BroadcastChannel(DATABASE_NAME),
};

export type OutboxDeps = typeof BROWSER_DEPS;

export class Outbox {
  readonly #deps: OutboxDeps;
  #entries: readonly Entry[] = [];
  #unshown: readonly Entry[] = [];
  #shownByForm: string | undefined;
  readonly #listeners = new Set<() => void>();
  #channel: ReturnType<OutboxDeps["openChannel"]> | undefined;
  readonly #requests = new Map<string, Promise<SendOutcome>>();
  #running: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #retries = 0;

  constructor(deps = BROWSER_DEPS) {
    this.#deps = deps;
  }

  /** The entries that no form of this page shows, the oldest first. */
  readonly listUnshown = (): readonly Entry[] => this.#unshown;

  find(id: string): Entry | undefined {
    return this.#entries.find((entry) => entry.id === id);
  }

  /** Calls the listener after each change, whether by this page, another tab or the service worker. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    const channel = this.#otherPages();
    if (channel) channel.onmessage = () => void this.refresh();
    return () => void this.#listeners.delete(listener);
  };

  setShownByForm(id: string | undefined): void {
    this.#shownByForm = id;
    this.#publish(this.#entries);
  }

  /** Resolves to true once the application is on the disk, from where it is sent again even if the tab closes. */
  async keep(kept: SubmittedApplication): Promise<boolean> {
    try {
      await this.#deps.writeEntry(kept);
    } catch {
      return false;
    }
    this.#replaceEntry(kept.id, kept);
    this.#retries = 0;
    this.#schedule();
    return true;
  }

  /** A call during a request for the application joins that request. Other pages learn the outcome from the disk. */
  send(kept: SubmittedApplication): Promise<SendOutcome> {
    const running = this.#requests.get(kept.id);
    if (running) return running;
    const request = this.#send(kept).finally(() => this.#requests.delete(kept.id));
    this.#requests.set(kept.id, request);
    return request;
  }

  async #send(kept: SubmittedApplication): Promise<SendOutcome> {
    const { id } = kept;
    const outcome = await this.#deps.send(kept);
    const change = (entry: Entry | undefined) => applyOutcome(entry, id, outcome, Date.now());
    if (outcome.kind === "later") this.#notifyOtherPages();
    // If the disk fails, only this page knows the answer. The next page sends the application again.
    else await this.#change(id, change).catch(() => this.#replaceEntry(id, change(this.find(id))));
    return outcome;
  }

  /** Resolves to the number of applications that still wait, or to 1 if the database does not answer. */
  async sendWaiting(): Promise<number> {
    if (!(await this.refresh())) return 1;
    await Promise.all(this.#entries.filter(isWaiting).map((kept) => this.send(kept)));
    return this.#entries.filter(isWaiting).length;
  }

  /** Sends what waits, and again later while something still waits. A second call joins the first. */
  keepSending(): Promise<void> {
    clearTimeout(this.#timer);
    this.#running ??= this.sendWaiting()
      .then((left) => {
        if (left > 0) this.#schedule();
        else this.#retries = 0;
      })
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    // Chromium gives up after three sync events, so each retry registers again.
    void this.#deps.requestBackgroundSync();
    const seconds = Math.min(FIRST_RETRY_SECONDS * 2 ** this.#retries, MAX_RETRY_SECONDS);
    this.#retries += 1;
    // The delay grows by up to a fifth at random, so that browsers do not retry all at once after an outage.
    this.#timer = setTimeout(
      () => void this.keepSending(),
      seconds * 1_000 * (1 + Math.random() / 5),
    );
  }

  /** Resolves to the application, which is then not sent any more; to undefined if it is gone or the disk fails. */
  async takeBack(id: string): Promise<SubmittedApplication | undefined> {
    const leaveReceipt = (entry: Entry | undefined) => (isKept(entry) ? undefined : entry);
    const entry = await this.#change(id, leaveReceipt).catch(() => undefined);
    return isKept(entry) ? entry : undefined;
  }

  /** Has no effect if the disk fails. */
  async remove(id: string): Promise<void> {
    await this.#change(id, () => undefined).catch(() => undefined);
  }

  /** Reads the disk, and deletes old receipts. Resolves to false if the database does not answer. */
  async refresh(): Promise<boolean> {
    try {
      const stored = await this.#deps.readEntries();
      const now = Date.now();
      for (const { id } of stored.filter((entry) => isExpiredReceipt(entry, now)))
        void this.remove(id);
      this.#publish(stored.filter((entry) => !isExpiredReceipt(entry, now)));
      return true;
    } catch {
      return false;
    }
  }

  async #change(id: string, change: (entry: Entry | undefined) => Entry | undefined) {
    const before = await this.#deps.changeEntry(id, change);
    this.#replaceEntry(id, change(before));
    this.#notifyOtherPages();
    return before;
  }

  #replaceEntry(id: string, entry: Entry | undefined): void {
    const others = this.#entries.filter((each) => each.id !== id);
    this.#publish(entry ? [...others, entry] : others);
  }

  #publish(entries: readonly Entry[]): void {
    this.#entries = [...entries].sort((one, other) => one.at - other.at);
    this.#unshown = this.#entries.filter(({ id }) => id !== this.#shownByForm);
    for (const listener of this.#listeners) listener();
  }

  #notifyOtherPages(): void {
    this.#otherPages()?.postMessage("changed");
  }

  /** Undefined without BroadcastChannel: the page then sees changes of other pages when it reads the disk to send. */
  #otherPages() {
    try {
      this.#channel ??= this.#deps.openChannel();
      return this.#channel;
    } catch {
      return undefined;
    }
  }
}

export const outbox = new Outbox();
