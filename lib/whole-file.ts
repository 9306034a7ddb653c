import { open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Makes a file that only its owner can read. It is written aside, fsynced and renamed, so that the file is complete or
 * absent. `write` gets the path of an empty file.
 */
export async function wholeFile<Result>(
  file: string,
  write: (aside: string) => Promise<Result> | Result,
): Promise<Result> {
  const folder = dirname(file);
  const aside = join(folder, `.${basename(file)}.${process.pid}.tmp`);
  try {
    await (await open(aside, "w", 0o600)).close();
    const result = await write(aside);
    await syncToDisk(aside);
    await rename(aside, file);
    await syncToDisk(folder, "r");
    return result;
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}

/** Error codes of file systems that cannot sync a folder, such as network disks and Windows. */
const NO_FOLDER_SYNC: readonly unknown[] = ["EINVAL", "ENOTSUP", "EISDIR", "EPERM"];

/** `r` opens a folder. An unsynced folder can lose the names of synced files in a power cut. */
export async function syncToDisk(path: string, flags: "r+" | "r" = "r+"): Promise<void> {
  try {
    await using opened = await open(path, flags);
    await opened.sync();
  } catch (error) {
    const code = error instanceof Error && "code" in error && error.code;
    if (flags === "r" && NO_FOLDER_SYNC.includes(code)) return;
    throw error;
  }
}
