import { open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCode } from "#lib/error-code.ts";

/** Makes a file that only its owner can read, completely or not at all. `write` gets the path of a temporary file. */
export async function writeAtomically<Result>(
  file: string,
  write: (temporary: string) => Promise<Result> | Result,
): Promise<Result> {
  const folder = dirname(file);
  const temporary = join(folder, `.${basename(file)}.${process.pid}.tmp`);
  try {
    await (await open(temporary, "w", 0o600)).close();
    const result = await write(temporary);
    await syncToDisk(temporary);
    await rename(temporary, file);
    await syncToDisk(folder, "r");
    return result;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Windows and some network disks cannot sync a folder. */
const NO_FOLDER_SYNC_CODES = ["EINVAL", "ENOTSUP", "EISDIR", "EPERM"];

/** Syncs a file, or with `r` a folder. Until its folder is synced, a power cut can take the name of a synced file. */
export async function syncToDisk(path: string, flags: "r+" | "r" = "r+"): Promise<void> {
  try {
    await using opened = await open(path, flags);
    await opened.sync();
  } catch (error) {
    if (flags === "r" && NO_FOLDER_SYNC_CODES.includes(errorCode(error))) return;
    throw error;
  }
}
