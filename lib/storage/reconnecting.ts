import { log } from "#lib/log.ts";
import type { Database, DatabaseOpener } from "#lib/storage/database.ts";
import { StorageUnavailable, storageAdvice, type UnavailableReason } from "#lib/storage/errors.ts";

/** A database that cannot be opened is tried again after this pause. */
const OPEN_PAUSE_MS = 1_000;

const REASONS_TO_KEEP_CONNECTION: readonly UnavailableReason[] = [
  "locked",
  "full",
  "bad-statement",
];

/** Opens a database at its first use, and again after its connection has failed. Each fault is logged once. */
export function reconnectingDatabase(open: DatabaseOpener): Database {
  /** Set while the database is open or being opened, and for a second after a failed opening. */
  let current: Promise<Database> | undefined;
  let latest: Database | undefined;
  let reported: string | undefined;
  let isClosed = false;

  async function runOnDatabase<Result>(
    work: (database: Database) => Promise<Result>,
  ): Promise<Result> {
    if (isClosed) {
      throw new StorageUnavailable(storageAdvice("closed", false), "closed");
    }
    current ??= openDatabase();
    const used = current;
    try {
      return await work(await used);
    } catch (error) {
      if (error instanceof StorageUnavailable && !isClosed) {
        if (error.message !== reported) log.error({ reason: error.reason }, error.message);
        reported = error.message;
        if (!REASONS_TO_KEEP_CONNECTION.includes(error.reason)) await closeFailed(used);
      }
      throw error;
    }
  }

  async function openDatabase(): Promise<Database> {
    try {
      latest = await open(latest !== undefined);
      return latest;
    } catch (error) {
      const forget = () => {
        current = undefined;
      };
      setTimeout(forget, OPEN_PAUSE_MS).unref();
      throw error;
    }
  }

  /** A failed opening is left to the timer of `openDatabase`. */
  async function closeFailed(used: Promise<Database>): Promise<void> {
    const database = await used.catch(() => undefined);
    if (database === undefined || used !== current) return;
    current = undefined;
    await database.close();
  }

  return {
    async write(work, lock) {
      const result = await runOnDatabase((database) => database.write(work, lock));
      // Only a successful write ends the fault, because a database on a full disk can still be read.
      if (reported !== undefined) log.info("The database can be used again.");
      reported = undefined;
      return result;
    },
    read: (work) => runOnDatabase((database) => database.read(work)),
    async eraseDeletedRows() {
      try {
        return await runOnDatabase((database) => database.eraseDeletedRows());
      } catch (error) {
        // The deletion itself has already succeeded.
        if (error instanceof StorageUnavailable) return false;
        throw error;
      }
    },
    now: () => latest?.now() ?? Date.now(),
    async close() {
      isClosed = true;
      const last = await current?.catch(() => undefined);
      await last?.close();
    },
  };
}
