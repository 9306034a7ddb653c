/** The database's file and the marker beside it, which tells a first start from a lost database. */
import { closeSync, existsSync, mkdirSync, openSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { sync } from "#lib/whole-file.ts";

/** A file that says that this data folder had a database, so that a lost one is never begun anew. */
export const markerOf = (file: string) => `${file}.created`;

/**
 * Makes the folder, and refuses to go on where a database once was and now is none: SQLite would begin
 * an empty one in its place without a word. `hadOne`: this process has had it open.
 */
export function refuseLostDatabase(file: string, hadOne: boolean): void {
  if (hadOne && sizeOf(file) === 0) {
    throw new StorageUnavailable(
      `The database ${basename(file)} was moved away, or its disk is not mounted any more: put it back. The site does not begin another one while it runs.`,
      "missing",
    );
  }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (!existsSync(markerOf(file)) || sizeOf(file) > 0) return;
  throw lostDatabase(file, existsSync(file) ? "is empty" : "is missing");
}

export function lostDatabase(file: string, how: string): StorageUnavailable {
  return new StorageUnavailable(
    `The database ${basename(file)} ${how} although it was created before: put it back from a backup; only to begin anew without the old applications, delete ${basename(markerOf(file))}.`,
    "missing",
  );
}

/** The site's user alone reads a new database, and its journal, which SQLite gives the same permissions. */
export function createPrivately(file: string): void {
  // A file that is there is not opened: closing it would release the locks that this process has on it.
  if (!existsSync(file)) closeSync(openSync(file, "a", 0o600));
}

/** Notes, once, that the database exists. Comes after its tables are on disk. */
export async function markCreated(file: string): Promise<void> {
  if (existsSync(markerOf(file))) return;
  const text = `${basename(file)} was created on ${new Date().toISOString()}. While this file is here, the site does not begin a new, empty database.\n`;
  writeFileSync(markerOf(file), text, { flush: true });
  await sync(dirname(file), "r");
}

/** A guard that throws when the database or its journal is no longer the file that is open now. */
export function guardFiles(file: string): () => void {
  const journal = `${file}-wal`;
  const opened = inodeOf(file);
  const openedJournal = inodeOf(journal);
  const name = basename(file);
  return () => {
    if (inodeOf(file) !== opened || sizeOf(file) === 0) {
      throw new StorageUnavailable(
        `The database ${name} was moved, replaced or emptied while the site was running: put it back, and restart the site if this does not end.`,
        "missing",
      );
    }
    if (inodeOf(journal) !== openedJournal) {
      throw new StorageUnavailable(
        `The journal ${basename(journal)} was deleted or replaced while the site was running. What it held is copied into the database; leave these files alone.`,
        "missing",
      );
    }
  };
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
