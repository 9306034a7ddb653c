/**
 * The files of the builds before: a page that was open before an update asks for them. Every build's files lie
 * in one folder of the data, because their names change with their content.
 */
import { cp, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { listFiles } from "#server/static-files.ts";

/** Lifetime of a build's files after its last day in service. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

/** Copies this build's files there, each with the time of now; removes what was copied 30 days ago for the last time. */
export async function copyBuildFiles(build: string, kept: string): Promise<void> {
  await cp(build, kept, { recursive: true });
  for (const file of listFiles(kept).map((name) => join(kept, name))) {
    const { mtimeMs } = await stat(file);
    if (Date.now() - mtimeMs > KEPT_MS) await rm(file);
  }
}
