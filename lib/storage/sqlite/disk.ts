/** Tests that the disk answers within a time limit. */
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { StorageUnavailable } from "#lib/storage/errors.ts";

/** Time for which a completed fsync proves that the disk works. */
const PROVEN_MS = 250;
/** Time without an answer after which the disk counts as hanging. */
const WAIT_MS = 2_000;

/**
 * SQLite's fsync runs in this process's only thread: a hanging disk would block every page. So an fsync in another
 * thread tests the disk first, unless it has answered a moment ago. `file` lies beside the database and is never empty;
 * its first byte is written again. The returned function throws StorageUnavailable when the disk hangs.
 */
export function openDiskCheck(file: string): () => Promise<void> {
  let answeredAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    try {
      await using handle = await open(file, "r+");
      const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, 0);
      await handle.write(buffer, 0, 1, 0);
      await handle.datasync();
    } catch {
      // A disk that reports an error has answered too: the commit itself reports the fault.
    }
    answeredAt = performance.now();
    asking = undefined;
  }

  return async () => {
    if (performance.now() - answeredAt < PROVEN_MS) return;
    asking ??= ask();
    const answer = await Promise.race([asking, pause(WAIT_MS, "hangs", { ref: false })]);
    if (answer !== "hangs") return;
    throw new StorageUnavailable(
      `The disk of ${basename(file)} has not answered for ${WAIT_MS / 1_000} s: check it and its connection. The site goes on by itself once it answers.`,
      "hanging",
    );
  };
}
