import { statSync } from "node:fs";
import type { Config } from "#lib/config.ts";
import { nearestExistingFolder } from "#lib/data-folder-findings.ts";

/** A command of root changes its user, because the site could not write files that belong to root. */
export function switchToDataOwner({ dataDir }: Pick<Config, "dataDir">): void {
  const { uid, gid } = statSync(nearestExistingFolder(dataDir));
  if (process.getuid?.() !== 0 || uid === 0) return;
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}
