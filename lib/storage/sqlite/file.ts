/** The database's file and the marker beside it, which tells a first start from a lost database. */
import { closeSync, existsSync, mkdirSync, openSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { sync } from "#lib/whole-file.ts";

/** A file that says that this data folder had a database, so that a lost one is never created again. */
export const markerOf = (file: string) => `${file}.created`;

/** Refuses to go on where a database once was and now is none: SQLite would begin an empty one in its place. */
export function refuseLostDatabase(file: string): void {
  if (sizeOf(file) === 0) throw lostDatabase(file, existsSync(file) ? "is empty" : "is missing");
}

export function lostDatabase(file: string, how: string): StorageUnavailable {
  return new StorageUnavailable(
    `The database ${basename(file)} ${how} although it was created before: put it back, or mount its disk again, or restore a backup; only to begin anew without the old applications, stop the site and delete ${basename(markerOf(file))}.`,
    "missing",
  );
}

/** Makes a folder and those above it. Node's own recursion calls a read-only disk ENOENT. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
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
  const files = [file, `${file}-wal`];
  const opened = files.map(inodeOf);
  return () => {
    const isInPlace = files.every((each, index) => inodeOf(each) === opened[index]);
    if (isInPlace && sizeOf(file) > 0) return;
    throw new StorageUnavailable(
      `The database ${basename(file)} or its journal was moved, replaced or emptied while the site was running: put it back, and restart the site if this does not end. What the journal held is copied into the database.`,
      "missing",
    );
  };
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

/** 0 where there is none. */
export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
