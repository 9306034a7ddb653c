import { open } from "node:fs/promises";
import { basename } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { fileError } from "#lib/storage/errors.ts";

/** An fsync proves for this long that the disk works. */
const PROVEN_MS = 250;
const WAIT_MS = 2_000;
/** A suspended machine uses up only one part of the wait, and reads the disk's answer in the next. */
const WAIT_PARTS = 4;

/**
 * SQLite fsyncs in the main thread, so a hanging disk would block every page. The check fsyncs in another thread first:
 * it rewrites the first byte of `file`, which is on the database's disk and never empty. @throws StorageUnavailable
 */
export function createHangingDiskCheck(file: string): () => Promise<void> {
  let answeredAt = Number.NEGATIVE_INFINITY;
  let probing: Promise<void> | undefined;

  async function probe(): Promise<void> {
    try {
      await using handle = await open(file, "r+");
      const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, 0);
      await handle.write(buffer, 0, 1, 0);
      await handle.datasync();
    } catch {
      // A disk that reports an error has answered, so it does not hang.
    }
    answeredAt = performance.now();
    probing = undefined;
  }

  return async () => {
    if (performance.now() - answeredAt < PROVEN_MS) return;
    probing ??= probe();
    const answer = probing;
    for (let part = 0; part < WAIT_PARTS; part++) {
      const waited = pause(WAIT_MS / WAIT_PARTS, "hangs", { ref: false });
      if ((await Promise.race([answer, waited])) !== "hangs") return;
    }
    throw fileError(basename(file), "hanging", `silent for ${WAIT_MS / 1_000} s`);
  };
}
