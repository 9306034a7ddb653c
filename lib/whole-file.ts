import { open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Makes a file that only its owner can read. It is written aside, fsynced and renamed, so that it is complete
 * or absent. `write` gets the path of an empty file.
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
    await sync(aside, "r+");
    await rename(aside, file);
    // Windows cannot open a folder as a file, and does not need it to.
    if (process.platform !== "win32") await sync(folder, "r");
    return result;
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}

async function sync(path: string, flags: string): Promise<void> {
  await using opened = await open(path, flags);
  await opened.sync();
}
