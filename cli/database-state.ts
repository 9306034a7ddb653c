import { statSync } from "node:fs";
import type { Config } from "#lib/config.ts";
import { StorageUnavailable, storageAdvice } from "#lib/storage/errors.ts";

/** A Korean sentence about a fault of the database. It ends with the words of an error that nobody foresaw. */
export function describeStorageError(error: unknown, { databaseUrl }: Config): string {
  if (error instanceof StorageUnavailable) return error.message;
  return `${storageAdvice("failing", databaseUrl !== undefined)} (${error})`;
}

/** False before the first start. Opening a missing database would create an empty database. */
export function hasDatabase({ databaseFile, databaseUrl }: Config): boolean {
  return databaseUrl !== undefined || [databaseFile, `${databaseFile}.created`].some(mayExist);
}

/** A file in an unreadable folder counts as existing: opening the file then reports the reason. */
function mayExist(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
