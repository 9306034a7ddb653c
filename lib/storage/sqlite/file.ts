/** The database's file and the marker beside it, which tells a first start from a lost database. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { StorageUnavailable } from "#lib/storage/errors.ts";

const markerOf = (file: string) => `${file}.created`;

/**
 * Makes the folder, and refuses to go on where a database once was and now is none: SQLite would begin
 * an empty one in its place without a word.
 */
export function refuseLostDatabase(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (!existsSync(markerOf(file)) || sizeOf(file) > 0) return;
  const name = basename(file);
  throw new StorageUnavailable(
    `The database ${name} is ${existsSync(file) ? "empty" : "missing"} although it was created before: put it back from a backup; only to begin anew without the old applications, delete ${basename(markerOf(file))}.`,
    "missing",
  );
}

/** The site's user alone reads a new database, and its journal, which SQLite gives the same permissions. */
export function createPrivately(file: string): void {
  // Never one that is there: to close it would let go of the locks that this process has on it.
  if (!existsSync(file)) closeSync(openSync(file, "a", 0o600));
}

/** Notes, once, that the database exists. Comes after its tables are on disk. */
export function markCreated(file: string): void {
  const marker = markerOf(file);
  if (existsSync(marker)) return;
  writeFileSync(
    marker,
    `${basename(file)} was created on ${new Date().toISOString()}. While this file is here, the site does not begin a new, empty database.\n`,
    { flush: true },
  );
  syncFolder(dirname(file));
}

/** Without this a power cut can take away the names of files whose contents were synced. */
function syncFolder(folder: string): void {
  // Windows does not open folders as files, and keeps their entries by itself.
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** A guard that throws when the file at this path is no longer the one that is open now. */
export function guardFile(file: string): () => void {
  const opened = statSync(file).ino;
  return () => {
    const now = statSync(file, { throwIfNoEntry: false });
    if (now && now.ino === opened && now.size > 0) return;
    throw new StorageUnavailable(
      `The database ${basename(file)} was moved, replaced or emptied while the site was running: put it back, and restart the site if this does not end.`,
      "missing",
    );
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
