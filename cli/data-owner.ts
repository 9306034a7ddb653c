/**
 * Commands that root types work as the owner of the data folder: the site can write all that they create, and the
 * doctor sees what the site sees. Only files that root names outside of the folder are written and read as root.
 */
import { chownSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Config } from "#lib/config.ts";
import { nearestFolder } from "#lib/data-folder.ts";

/** Does nothing for another user than root, or where the data folder is root's own. */
export function workAsDataOwner({ dataDir }: Pick<Config, "dataDir">): void {
  const { uid, gid } = statSync(nearestFolder(dataDir));
  if (process.getuid?.() !== 0 || uid === 0) return;
  process.setgroups?.([gid]);
  process.setegid?.(gid);
  process.seteuid?.(uid);
}

/** Reads or writes a file that the caller of the command has named. */
export async function asCaller<Result>(work: () => Promise<Result> | Result): Promise<Result> {
  const [uid, gid] = [process.geteuid?.(), process.getegid?.()];
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || uid === undefined || gid === undefined) return work();
  process.seteuid?.(0);
  process.setegid?.(0);
  try {
    return await work();
  } finally {
    process.setegid?.(gid);
    process.seteuid?.(uid);
  }
}

/** Gives a file that root has made to the owner of its folder. */
export function giveToFolderOwner(file: string): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(file));
  chownSync(file, uid, gid);
}
