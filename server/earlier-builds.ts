/**
 * The files of the builds before: a page that was open before an update asks for them. Every build's files lie
 * in one folder of the data, because their names change with their content.
 */
import { copyFile, mkdir, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { filesBelow } from "#server/files.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** How long after its last day in service a build's files are kept. */
const KEPT_MS = 30 * DAY_MS;

/**
 * Keeps a copy of this build's files for the builds that follow, and marks the day on it; removes what has been
 * in service 30 days ago for the last time. Returns the names of the files of other builds.
 */
export async function keepBuild(build: string, kept: string, now = Date.now()): Promise<string[]> {
  await mkdir(kept, { recursive: true });
  const own = new Set(filesBelow(build));
  for (const name of own) {
    const file = join(kept, name);
    if ((await sizeOf(file)) !== (await sizeOf(join(build, name)))) {
      await mkdir(dirname(file), { recursive: true });
      // Under its name only when it is whole: a process may end at any time.
      await copyFile(join(build, name), `${file}.new`);
      await rename(`${file}.new`, file);
    }
    await utimes(file, now / 1_000, now / 1_000);
  }
  const earlier: string[] = [];
  for (const name of filesBelow(kept).filter((name) => !own.has(name))) {
    const { mtimeMs } = await stat(join(kept, name));
    if (now - mtimeMs > KEPT_MS) await rm(join(kept, name));
    else earlier.push(name);
  }
  return earlier;
}

async function sizeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ size }) => size,
    () => undefined,
  );
}
