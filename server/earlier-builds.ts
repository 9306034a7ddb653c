/**
 * Keeps the files of earlier builds, because a page that was opened before an update requests them. All builds share
 * one folder, because the names change with the contents.
 */
import { cp, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { listFiles } from "#server/static-files.ts";

const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

/** Deletes files that no build has copied for 30 days: a copy has the time at which it was made. */
export async function copyBuildFiles(build: string, copies: string): Promise<void> {
  await cp(build, copies, { recursive: true });
  for (const file of listFiles(copies).map((name) => join(copies, name))) {
    const { mtimeMs } = await stat(file);
    if (Date.now() - mtimeMs > KEPT_MS) await rm(file);
  }
}
