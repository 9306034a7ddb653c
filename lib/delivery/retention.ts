/**
 * Deletes applications after their retention. A wrong clock makes a new application look a year old, so deletion waits
 * for a day of steady time. A jump of the clock, or more than a day between two notes, restarts that wait.
 */
import { DAY, HOUR, MINUTE } from "#lib/application/durations.ts";
import { deleteExpiredFiles } from "#lib/channels/file.ts";
import { fileChannelFolder } from "#lib/channels/registry.ts";
import type { WorkerDeps } from "#lib/delivery/deps.ts";
import { type Clocks, watchWallClock } from "#lib/delivery/wall-clock.ts";
import { log } from "#lib/log.ts";
import { backupsFolder, deleteOldBackups } from "#lib/storage/backups.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { IDEMPOTENCY_KEY_LIFETIME } from "#lib/storage/queries/deletion.ts";
import type { Store } from "#lib/storage/store.ts";

/** A host may be off at night. A clock that is wrong by less than this deletes at most a day early. */
const LONGEST_GAP = DAY;

interface RetentionDeps extends Clocks, Pick<WorkerDeps, "retention"> {
  store: Pick<Store, "findNote" | "writeNote" | "deleteExpired" | "deleteKeysBefore" | "findIds">;
}

/** Returns a function that every pass of the worker calls. The function throws StorageUnavailable. */
export function createHourlyDeletion(deps: RetentionDeps): () => Promise<void> {
  const { store, now } = deps;
  let readJump: (() => number) | undefined;
  let steadySince: number | undefined;
  let notedAt = Number.NEGATIVE_INFINITY;

  return async () => {
    const at = now();
    const since = await findSteadySince(at);
    if (Math.abs(at - notedAt) < HOUR) return;
    await store.writeNote("clock", { at, value: `${since}` });
    notedAt = at;
    if (at - since < DAY) return;
    await deleteExpired(deps, at).catch((error: unknown) => {
      // The next pass repeats the deletion, which would otherwise wait for an hour.
      if (error instanceof StorageUnavailable) notedAt = Number.NEGATIVE_INFINITY;
      throw error;
    });
  };

  /** Returns the start of the steady time, which continues over a restart of the process. */
  async function findSteadySince(at: number): Promise<number> {
    // A watch made at the start would be wrong: `now` returns the database's time only after a first transaction.
    readJump ??= watchWallClock(deps, HOUR).readJump;
    const jump = readJump();
    if (jump !== 0) {
      const minutes = Math.round(jump / MINUTE);
      log.warn({ minutes }, "the clock jumped: nothing is deleted for a day");
      steadySince = at;
      notedAt = Number.NEGATIVE_INFINITY;
      await store.writeNote("clock-jump", { at, value: `${jump}` });
    }
    if (steadySince === undefined) {
      const note = await store.findNote("clock");
      const isContinued = note && Math.abs(note.at - at) <= LONGEST_GAP;
      steadySince = isContinued ? Number(note.value) : at;
    }
    return steadySince;
  }
}

async function deleteExpired({ store, retention }: RetentionDeps, now: number): Promise<void> {
  const { retentionDays: days, dataDir } = retention;
  const before = now - days * DAY;
  const applicationIds = await store.deleteExpired(before);
  await store.deleteKeysBefore(now - IDEMPOTENCY_KEY_LIFETIME);
  const files = await deleteExpiredFiles(fileChannelFolder({ dataDir }), before, (ids) =>
    store.findIds("applicationId", ids),
  );
  if (applicationIds.length + files > 0) {
    log.info(
      { applicationIds, files, days },
      "deleted finished applications whose retention is over",
    );
  }
  const { deleted, failed } = await deleteOldBackups(backupsFolder({ dataDir }), now);
  if (deleted.length > 0) log.info({ backups: deleted }, "deleted old backups");
  if (failed.length > 0) log.warn({ backups: failed }, "deleting these old backups failed");
}
