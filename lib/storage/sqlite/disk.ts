/** Tests that the disk answers within a time limit. */
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { StorageUnavailable } from "#lib/storage/errors.ts";

/** An answer of the disk is valid for this long. */
const BELIEVED_MS = 250;
/** The disk hangs when it has not answered for this long. */
const WAIT_MS = 2_000;

/**
 * SQLite's fsync runs in this process's only thread: on a disk that hangs it would hold up every page. So the disk
 * is asked first, by an fsync elsewhere, unless it has answered a moment ago. `file` is one beside the database that
 * is never empty; its first byte is written again. What is returned throws StorageUnavailable when the disk hangs.
 */
export function diskOf(file: string): () => Promise<void> {
  let answeredAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    try {
      await using handle = await open(file, "r+");
      const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, 0);
      await handle.write(buffer, 0, 1, 0);
      await handle.datasync();
    } catch {
      // A disk that refuses has answered: the commit itself reports the fault.
    }
    answeredAt = performance.now();
    asking = undefined;
  }

  return async () => {
    if (performance.now() - answeredAt < BELIEVED_MS) return;
    asking ??= ask();
    const answer = await Promise.race([asking, pause(WAIT_MS, "hangs", { ref: false })]);
    if (answer !== "hangs") return;
    throw new StorageUnavailable(
      `The disk of ${basename(file)} has not answered for ${WAIT_MS / 1_000} s: check it and its connection. The site goes on by itself once it answers.`,
      "hanging",
    );
  };
}
