import { performance } from "node:perf_hooks";
import { log } from "#lib/log.ts";
import type { Database, OpenDatabase } from "#lib/storage/database.ts";
import { StorageUnavailable, type UnavailableReason } from "#lib/storage/errors.ts";

/** A database that cannot be opened is tried at most this often. */
const OPEN_PAUSE_MS = 1_000;

/** Faults that pass while the connection stays good. */
const CONNECTION_STAYS: readonly UnavailableReason[] = ["locked", "full", "hanging"];

/**
 * A database that opens at its first use, and anew after its connection has gone bad, so that the site
 * recovers by itself once the cause is gone. Faults are logged once each, not at every use.
 */
export function reconnecting(open: OpenDatabase): Database {
  let current: Promise<Database> | undefined;
  let refused: { error: unknown; at: number } | undefined;
  let reported: string | undefined;
  let latest: Database | undefined;
  let closed = false;

  function connection(): Promise<Database> {
    if (closed) {
      throw new StorageUnavailable("The site is stopping; its database is closed.", "closed");
    }
    if (current) return current;
    if (refused && performance.now() - refused.at < OPEN_PAUSE_MS) throw refused.error;
    const opening = open(latest !== undefined);
    current = opening;
    opening.then(
      (database) => {
        latest = database;
      },
      (error: unknown) => {
        if (current === opening) current = undefined;
        refused = { error, at: performance.now() };
      },
    );
    return opening;
  }

  async function use<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
    let database: Promise<Database> | undefined;
    try {
      database = connection();
      return await work(await database);
    } catch (error) {
      if (error instanceof StorageUnavailable && !closed) {
        report(error);
        if (!CONNECTION_STAYS.includes(error.reason)) await drop(database);
      }
      throw error;
    }
  }

  /** Only a write says that all is well: a full disk can still be read. */
  async function write<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
    const result = await use(work);
    if (reported !== undefined) log.info("The database can be used again.");
    reported = undefined;
    return result;
  }

  function report({ message, reason }: StorageUnavailable): void {
    if (message === reported) return;
    reported = message;
    log.error({ reason }, message);
  }

  async function drop(database: Promise<Database> | undefined): Promise<void> {
    if (database === undefined || database !== current) return;
    current = undefined;
    await (await database).close();
  }

  /** What was deleted is deleted, also where the journal cannot be freed of it now. */
  async function purgeJournal(): Promise<boolean> {
    try {
      return await use((database) => database.purgeJournal());
    } catch (error) {
      if (error instanceof StorageUnavailable) return false;
      throw error;
    }
  }

  return {
    write: (work, lock) => write((database) => database.write(work, lock)),
    read: (work) => use((database) => database.read(work)),
    purgeJournal,
    takePlace: () => latest?.takePlace() ?? false,
    now: () => latest?.now() ?? Date.now(),
    close: async () => {
      closed = true;
      const last = await current?.catch(() => undefined);
      await last?.close();
    },
  };
}
