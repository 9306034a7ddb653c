import { statSync } from "node:fs";
import type { Config } from "#lib/config.ts";
import { nearestExistingFolder } from "#lib/data-folder.ts";

/** A command of root becomes one of the data folder's owner, so that the site can write every file that it creates. */
export function workAsDataOwner({ dataDir }: Pick<Config, "dataDir">): void {
  const { uid, gid } = statSync(nearestExistingFolder(dataDir));
  if (process.getuid?.() !== 0 || uid === 0) return;
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}
