import { closeSync, existsSync, mkdirSync, openSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { syncToDisk } from "#lib/atomic-file.ts";
import { fileError, StorageUnavailable } from "#lib/storage/errors.ts";

/** The marker shows that this data folder has had a database, so that an empty one never replaces a lost database. */
export const markerPath = (file: string) => `${file}.created`;

export function lostDatabaseError(file: string, how: string): StorageUnavailable {
  return fileError(basename(file), "missing", how);
}

/** `mkdirSync` with `recursive` would report a read-only disk as ENOENT. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

/** SQLite gives the journal the same permissions. */
export function createPrivateFile(file: string): void {
  // Closing an existing file would release this process's locks on it.
  if (!existsSync(file)) closeSync(openSync(file, "a", 0o600));
}

export async function writeMarker(file: string): Promise<void> {
  if (existsSync(markerPath(file))) return;
  const text = `${basename(file)} was created on ${new Date().toISOString()}. While this file is here, the site does not begin a new, empty database.\n`;
  writeFileSync(markerPath(file), text, { flush: true });
  await syncToDisk(dirname(file), "r");
}

/** Returns a check that throws if the path no longer leads to the opened database or journal. */
export function createSameFileCheck(file: string): () => void {
  const files = [file, `${file}-wal`];
  const opened = files.map(inodeOf);
  return () => {
    const isInPlace = files.every((each, index) => inodeOf(each) === opened[index]);
    if (isInPlace && fileSize(file) > 0) return;
    throw new StorageUnavailable(
      `사이트가 켜져 있는 동안 데이터베이스(${basename(file)})나 저널이 옮겨지거나 바뀌거나 비워졌습니다. 제자리에 되돌려 주시고, 그래도 끝나지 않으면 사이트를 다시 시작해 주세요. 저널에 있던 내용은 데이터베이스로 옮겨집니다.`,
      "missing",
    );
  };
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

export function fileSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
