/** The entries of this device, in IndexedDB, as this page last read or wrote them. */
import { changeEntry, DATABASE_NAME, readEntries, writeEntry } from "#lib/browser/database.ts";
import {
  applyOutcome,
  type Entry,
  hasExpired,
  isKept,
  type Kept,
  type SendOutcome,
} from "#lib/browser/entry.ts";

const BROWSER_DEPS = {
  readEntries,
  writeEntry,
  changeEntry,
  /** @throws when BroadcastChannel is missing or forbidden */
  openChannel: (): Pick<BroadcastChannel, "postMessage" | "onmessage"> =>
    new BroadcastChannel(DATABASE_NAME),
};

export type OutboxDeps = typeof BROWSER_DEPS;

export class Outbox {
  readonly #deps: OutboxDeps;
  #entries: readonly Entry[] = [];
  #notices: readonly Entry[] = [];
  #shownByForm: string | undefined;
  readonly #listeners = new Set<() => void>();
  #channel: ReturnType<OutboxDeps["openChannel"]> | undefined;

  constructor(deps = BROWSER_DEPS) {
    this.#deps = deps;
  }

  /** All entries, the oldest first. */
  readonly listEntries = (): readonly Entry[] => this.#entries;

  /** The entries that no form of this page shows. */
  readonly listNotices = (): readonly Entry[] => this.#notices;

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

  /** Resolves to true once the application is on the disk. Other pages get a message when its request has ended. */
  async keep(kept: Kept): Promise<boolean> {
    try {
      await this.#deps.writeEntry(kept);
    } catch {
      return false;
    }
    this.#show(kept.id, kept);
    return true;
  }

  async settle({ id }: Kept, outcome: SendOutcome): Promise<void> {
    const change = (entry: Entry | undefined) => applyOutcome(entry, id, outcome, Date.now());
    if (outcome.kind === "later") return this.#notifyOtherPages();
    // A page that cannot store the answer shows it, and the next page sends the application again.
    await this.#change(id, change).catch(() => this.#show(id, change(this.find(id))));
  }

  /** Resolves to the application, which is then not sent any more; to undefined if it is gone or the disk fails. */
  async takeBack(id: string): Promise<Kept | undefined> {
    const leaveReceipt = (entry: Entry | undefined) => (isKept(entry) ? undefined : entry);
    const entry = await this.#change(id, leaveReceipt).catch(() => undefined);
    return isKept(entry) ? entry : undefined;
  }

  /** Resolves to false if the disk fails. */
  remove(id: string): Promise<boolean> {
    return this.#change(id, () => undefined).then(
      () => true,
      () => false,
    );
  }

  /** Reads the disk, and deletes old receipts. Resolves to false if the database does not answer. */
  async refresh(): Promise<boolean> {
    try {
      const stored = await this.#deps.readEntries();
      const now = Date.now();
      for (const { id } of stored.filter((entry) => hasExpired(entry, now))) void this.remove(id);
      this.#publish(stored.filter((entry) => !hasExpired(entry, now)));
      return true;
    } catch {
      return false;
    }
  }

  async #change(id: string, change: (entry: Entry | undefined) => Entry | undefined) {
    const before = await this.#deps.changeEntry(id, change);
    this.#show(id, change(before));
    this.#notifyOtherPages();
    return before;
  }

  #show(id: string, entry: Entry | undefined): void {
    const others = this.#entries.filter((each) => each.id !== id);
    this.#publish(entry ? [...others, entry] : others);
  }

  #publish(entries: readonly Entry[]): void {
    this.#entries = [...entries].sort((one, other) => one.at - other.at);
    this.#notices = this.#entries.filter(({ id }) => id !== this.#shownByForm);
    for (const listener of this.#listeners) listener();
  }

  #notifyOtherPages(): void {
    this.#otherPages()?.postMessage("changed");
  }

  /** A page without BroadcastChannel reads the changes of other pages before it sends. */
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
