/** A fake IndexedDB with the operations that the outbox uses. Each of them is complete before the call returns. */
import type { Entry } from "#lib/browser/entry.ts";
import type { OutboxDeps } from "#lib/browser/outbox.ts";

export class FakeDisk {
  readonly entries = new Map<string, Entry>();
  fails = false;
  hasFailed = false;

  /** The disk as one page uses it. A page that has ended gets no answer. */
  forPage(
    isPageAlive: () => boolean = () => true,
  ): Pick<OutboxDeps, "readEntries" | "writeEntry" | "changeEntry"> {
    const transact = async <Result>(work: () => Result): Promise<Result> => {
      if (!isPageAlive()) return new Promise<never>(() => undefined);
      this.hasFailed ||= this.fails;
      if (this.fails) throw new Error("the disk fails");
      return work();
    };
    return {
      readEntries: () => transact(() => structuredClone([...this.entries.values()])),
      writeEntry: (entry) => transact(() => this.#set(entry.id, entry)),
      changeEntry: (id, change) =>
        transact(() => {
          const before = structuredClone(this.entries.get(id));
          this.#set(id, change(before));
          return before;
        }),
    };
  }

  #set(id: string, entry: Entry | undefined): void {
    if (entry) this.entries.set(id, structuredClone(entry));
    else this.entries.delete(id);
  }
}
