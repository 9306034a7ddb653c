/**
 * The records of this device, in IndexedDB. A submission is written without reading first, so that it survives a closed
 * tab. Every other event reads and writes in one transaction, so that no page overwrites the change of another page.
 */
import { commit, DATABASE_NAME, transact } from "#lib/browser/database.ts";
import { refreshLocks } from "#lib/browser/locks.ts";
import {
  type DeviceRecord,
  nextRecord,
  type Queued,
  type RecordEvent,
} from "#lib/browser/record.ts";

const BROWSER_DEPS = {
  commit,
  transact,
  refreshLocks,
  /** @throws when BroadcastChannel is missing or forbidden */
  openChannel: (): Pick<BroadcastChannel, "postMessage" | "onmessage"> =>
    new BroadcastChannel(DATABASE_NAME),
};

export class Outbox {
  readonly #deps: typeof BROWSER_DEPS;
  /** The records on the disk, as this page last read or wrote them. */
  #stored = new Map<string, DeviceRecord | undefined>();
  /** Changes by this page that are not on the disk yet; undefined for a removed record. */
  readonly #unconfirmed = new Map<string, DeviceRecord | undefined>();
  /** The id of the record that each form of this page shows. Notices leave out these records. */
  readonly #shownByForms = new Map<object, string>();
  readonly #listeners = new Set<() => void>();
  #sorted: readonly DeviceRecord[] = [];
  #channel: ReturnType<typeof BROWSER_DEPS.openChannel> | undefined;

  constructor(deps = BROWSER_DEPS) {
    this.#deps = deps;
  }

  /** All records, the oldest first. */
  readonly records = (): readonly DeviceRecord[] => this.#sorted;

  find(id: string): DeviceRecord | undefined {
    return (this.#unconfirmed.has(id) ? this.#unconfirmed : this.#stored).get(id);
  }

  /** Calls the listener after each change, whether by this page, another tab or the service worker. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    const channel = this.#otherPages();
    if (channel) channel.onmessage = () => void this.refresh();
    return () => void this.#listeners.delete(listener);
  };

  setShownByForm(form: object, id: string | undefined): void {
    if (id === undefined) this.#shownByForms.delete(form);
    else this.#shownByForms.set(form, id);
    this.#notify();
  }

  isShownByForm(id: string): boolean {
    return [...this.#shownByForms.values()].includes(id);
  }

  /** Commits the record at once, and deletes `replaced`. Resolves to whether the record is on the disk. */
  async submit(record: Queued, replaced?: DeviceRecord): Promise<boolean> {
    const wasStored = this.#stored.get(record.id)?.state === "queued";
    const wasUnconfirmed = replaced && this.#unconfirmed.has(replaced.id);
    this.#unconfirmed.set(record.id, record);
    if (replaced) this.#unconfirmed.set(replaced.id, undefined);
    const committed = this.#deps.commit((store) => {
      if (replaced) store.delete(replaced.id);
      store.put(record);
    });
    this.#notify();
    const isStored = await committed;
    if (isStored) this.#confirm(record.id, record);
    else if (wasStored) this.#unconfirmed.delete(record.id);
    if (replaced && isStored) this.#confirm(replaced.id, undefined);
    // The commit failed, so the replaced record stays.
    else if (wasUnconfirmed) this.#unconfirmed.set(replaced.id, replaced);
    else if (replaced) this.#unconfirmed.delete(replaced.id);
    this.#notify();
    this.notifyOtherPages();
    return isStored || wasStored;
  }

  /** Resolves to the changed record, or to undefined if the record is gone or a tick could not be stored. */
  async apply(id: string, event: RecordEvent): Promise<DeviceRecord | undefined> {
    // A failed submission must not be stored later, by a tick.
    if (event.type === "tick" && this.#unconfirmed.has(id)) return undefined;
    let after: DeviceRecord | undefined;
    const isStored = await this.#deps.transact((store) => {
      const request = store.get(id);
      request.onsuccess = () => {
        const isUnconfirmed = this.#unconfirmed.has(id);
        after = nextRecord(isUnconfirmed ? this.#unconfirmed.get(id) : request.result, event);
        try {
          if (after) store.put(after);
          else store.delete(id);
        } catch {
          // The transaction is already aborted: WebKit fires `success` even after the visitor has left the page.
        }
      };
    });
    if (!isStored && event.type === "tick") return undefined;
    if (isStored) this.#confirm(id, after);
    else {
      const before = this.find(id);
      after = nextRecord(before, event);
      if (after !== before) this.#unconfirmed.set(id, after);
    }
    this.#notify();
    this.notifyOtherPages();
    return after;
  }

  /** Repeats failed writes and reads all records. Resolves to false if the database does not answer. */
  async refresh(): Promise<boolean> {
    let request: IDBRequest<DeviceRecord[]> | undefined;
    // A queued record is left out, because its submission is still running.
    const failedWrites = [...this.#unconfirmed].filter(([, record]) => record?.state !== "queued");
    const isRead = await this.#deps.commit((store) => {
      for (const [id, record] of failedWrites)
        if (record) store.put(record);
        else store.delete(id);
      request = store.getAll();
    });
    if (isRead && request) {
      for (const [id, record] of failedWrites)
        if (this.#unconfirmed.get(id) === record) this.#unconfirmed.delete(id);
      this.#stored = new Map(request.result.map((record) => [record.id, record]));
    }
    if (isRead && failedWrites.length > 0) this.notifyOtherPages();
    await this.#deps.refreshLocks();
    this.#notify();
    return isRead;
  }

  notifyOtherPages(): void {
    this.#otherPages()?.postMessage("changed");
  }

  #confirm(id: string, record: DeviceRecord | undefined): void {
    this.#stored.set(id, record);
    this.#unconfirmed.delete(id);
  }

  #notify(): void {
    const known = new Map([...this.#stored, ...this.#unconfirmed]).values();
    this.#sorted = [...known].filter((each) => each !== undefined).sort((a, b) => a.at - b.at);
    for (const listener of this.#listeners) listener();
  }

  /** A page without BroadcastChannel reads the changes of other pages before it sends queued records. */
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
