import { statSync } from "node:fs";
import type { Config } from "#lib/config.ts";
import { nearestExistingFolder } from "#lib/data-folder.ts";

/** Commands that root types work as the owner of the data folder, who can write all that they create. */
export function workAsDataOwner({ dataDir }: Pick<Config, "dataDir">): void {
  const { uid, gid } = statSync(nearestExistingFolder(dataDir));
  if (process.getuid?.() !== 0 || uid === 0) return;
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}
