/** Who has a SQLite database open: a lock on a file beside it, which ends with the process however that ends. */
import { basename } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { asStorageFault } from "#lib/storage/sqlite/errors.ts";

/** How long to wait for another process that is finding out whether it is alone: moments. */
const WAIT_MS = 2_000;

/** Stands for one opening of a database. The database's own locks are held for moments only, so it has its own file. */
export class InstanceLock {
  readonly #file: string;
  readonly #lock: DatabaseSync;

  /** @throws when the file cannot be made. */
  constructor(databaseFile: string) {
    this.#file = `${databaseFile}.open`;
    this.#lock = new DatabaseSync(this.#file, { timeout: WAIT_MS });
    try {
      this.#lock.exec("PRAGMA journal_mode = MEMORY");
      this.#share();
    } catch (error) {
      this.#lock.close();
      throw this.#faultIn(error);
    }
  }

  /** Damage of this file is no damage of the database: nothing is kept here. */
  #faultIn(error: unknown): unknown {
    const name = basename(this.#file);
    const fault = asStorageFault(error, name);
    if (!(fault instanceof StorageUnavailable) || fault.reason !== "corrupt") return fault;
    return new StorageUnavailable(
      `The lock file ${name} beside the database holds something else. The database itself is whole: stop the site, delete ${name} alone, and start it again.`,
      "lock-damaged",
      { cause: error },
    );
  }

  /** Runs work if nobody else has the database open; who opens it meanwhile waits. */
  async whenAlone<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    if (!this.#keepOthersOut()) return undefined;
    try {
      return await work();
    } finally {
      this.#lock.exec("COMMIT");
      this.#share();
    }
  }

  close(): void {
    if (this.#lock.isOpen) this.#lock.close();
  }

  /** A transaction that has read holds its lock, which others can hold too, until it ends. */
  #share(): void {
    this.#lock.exec("BEGIN; SELECT 1 FROM sqlite_schema");
  }

  #keepOthersOut(): boolean {
    this.#lock.exec("COMMIT; PRAGMA busy_timeout = 0");
    try {
      this.#lock.exec("BEGIN EXCLUSIVE");
      return true;
    } catch (error) {
      this.#share();
      const fault = asStorageFault(error, basename(this.#file));
      if (fault instanceof StorageUnavailable && fault.reason === "locked") return false;
      throw fault;
    } finally {
      this.#lock.exec(`PRAGMA busy_timeout = ${WAIT_MS}`);
    }
  }
}
