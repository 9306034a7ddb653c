/**
 * Keeps the files of earlier builds, because a page that was opened before an update may still request them. All builds
 * can share one folder, because the name of a file changes with its content.
 */
import { cp, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { DAY } from "#lib/application/durations.ts";
import { listFiles } from "#server/static-files.ts";

const BUILD_FILE_LIFETIME_MS = 30 * DAY;

/** Copies a build, and deletes copies that were last made over 30 days ago. Copying renews the modification time. */
export async function archiveBuildFiles(buildFolder: string, copiesFolder: string): Promise<void> {
  await cp(buildFolder, copiesFolder, { recursive: true });
  for (const file of listFiles(copiesFolder).map((name) => join(copiesFolder, name))) {
    const { mtimeMs } = await stat(file);
    if (Date.now() - mtimeMs > BUILD_FILE_LIFETIME_MS) await rm(file);
  }
}
