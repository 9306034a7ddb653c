/**
 * Keeps the files of earlier builds: a page that was opened before an update requests them. One folder holds the files
 * of all builds, because their names change with their content.
 */
import { cp, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { listFiles } from "#server/static-files.ts";

/** Time for which a file is kept after its last copy. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

/** Copies this build's files with the current time, and removes files that no build has copied for 30 days. */
export async function copyBuildFiles(build: string, copies: string): Promise<void> {
  await cp(build, copies, { recursive: true });
  for (const file of listFiles(copies).map((name) => join(copies, name))) {
    const { mtimeMs } = await stat(file);
    if (Date.now() - mtimeMs > KEPT_MS) await rm(file);
  }
}
