/** A fake IndexedDB with the operations that the product uses. A transaction is complete before the call returns. */
import type { TransactionWork } from "#lib/browser/database.ts";
import type { DeviceRecord } from "#lib/browser/record.ts";

export class FakeDisk {
  readonly records = new Map<string, DeviceRecord>();
  fails = false;
  readonly #onWrite: () => void;

  constructor(onWrite: () => void) {
    this.#onWrite = onWrite;
  }

  async transact(work: TransactionWork, isPageAlive: () => boolean): Promise<boolean> {
    if (this.fails || !isPageAlive()) return false;
    const readings: { result: unknown; onsuccess?: () => void }[] = [];
    const read = (result: unknown) => {
      const reading = { result: structuredClone(result) };
      readings.push(reading);
      return reading;
    };
    work({
      put: (record: DeviceRecord) => this.records.set(record.id, structuredClone(record)),
      delete: (id: string) => this.records.delete(id),
      get: (id: string) => read(this.records.get(id)),
      getAll: () => read([...this.records.values()]),
    } as unknown as IDBObjectStore);
    for (const { onsuccess } of readings) onsuccess?.();
    this.#onWrite();
    return true;
  }
}
