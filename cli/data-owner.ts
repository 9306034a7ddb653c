import { statSync } from "node:fs";
import type { Config } from "#lib/config.ts";
import { nearestExistingFolder } from "#lib/data-folder.ts";

/** Gives up root's rights for those of the data folder's owner: the site cannot write files that belong to root. */
export function workAsDataOwner({ dataDir }: Pick<Config, "dataDir">): void {
  const { uid, gid } = statSync(nearestExistingFolder(dataDir));
  if (process.getuid?.() !== 0 || uid === 0) return;
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}
