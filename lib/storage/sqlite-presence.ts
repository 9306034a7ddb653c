/** Whether this is the only process that delivers from a database; two are there during an update without a gap. */
import { basename } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { asStorageFault } from "#lib/storage/sqlite-faults.ts";
import { StorageUnavailable } from "#lib/storage/store.ts";

const CLAIM_EVERY_MS = 500;

/**
 * A lock of the operating system's, which ends with the process however it ends. It is held on a file of
 * its own, for the database's own locks are held for moments only.
 */
export function presenceAt(file: string) {
  let held: DatabaseSync | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** Whether the place is ours; from now on, if nobody has it. */
  function claim(): boolean {
    held ??= lockOut(file);
    if (held) clearInterval(timer);
    return held !== undefined;
  }

  return {
    claim,
    /** Takes the place once the other process has gone, so that the next one sees that we are here. */
    keepClaiming(): void {
      timer ??= setInterval(claim, CLAIM_EVERY_MS).unref();
    },
    end(): void {
      clearInterval(timer);
      if (held?.isOpen) held.close();
    },
  };
}

/** Undefined while another process holds it. */
function lockOut(file: string): DatabaseSync | undefined {
  const lock = new DatabaseSync(file);
  try {
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    const fault = asStorageFault(error, basename(file));
    if (fault instanceof StorageUnavailable && fault.reason === "locked") return undefined;
    throw fault;
  }
}
