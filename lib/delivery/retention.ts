/**
 * Deletes applications after their retention. A wrong clock can make a new application look old, so deletion waits for
 * a day of steady time. A jump of the clock, or more than a day between two notes, restarts that wait.
 */
import { DAY, HOUR, MINUTE } from "#lib/application/durations.ts";
import { deleteExpiredFiles } from "#lib/channels/file.ts";
import { fileChannelFolder } from "#lib/channels/registry.ts";
import type { DeliveryOptions } from "#lib/delivery/deps.ts";
import { log } from "#lib/log.ts";
import { backupsFolder, deleteOldBackups } from "#lib/storage/backups.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { Store } from "#lib/storage/store.ts";

/**
 * A host that is off at night writes no note for hours, so the steady time survives a gap of up to a day. If the
 * clock is set by less than a day meanwhile, a deletion is at most a day early.
 */
const MAX_NOTE_GAP_MS = DAY;

interface RetentionDeps
  extends Pick<Required<DeliveryOptions>, "now" | "monotonicNow" | "retention"> {
  store: Pick<Store, "readNote" | "writeNote" | "deleteExpired" | "listApplicationIds">;
}

/** Returns a function that the worker calls in its passes. The function throws StorageUnavailable. */
export function createHourlyDeletion(deps: RetentionDeps): () => Promise<void> {
  const { store, now, monotonicNow } = deps;
  /** The wall clock minus the monotonic clock, at the first call or after the last jump. */
  let clockOffset: number | undefined;
  let steadySince: number | undefined;
  let notedAt = Number.NEGATIVE_INFINITY;

  return async () => {
    const at = now();
    const jump = measureJump(at);
    if (jump === 0 && Math.abs(at - notedAt) < HOUR) return;
    if (jump !== 0) {
      steadySince = at;
      notedAt = Number.NEGATIVE_INFINITY;
      const minutes = Math.round(jump / MINUTE);
      log.warn({ minutes }, "the clock jumped: nothing is deleted for a day");
      await store.writeNote("clock-jump", { at, value: `${jump}` });
    }
    steadySince ??= await continueSteadyTime(at);
    await store.writeNote("clock", { at, value: `${steadySince}` });
    notedAt = at;
    if (at - steadySince < DAY) return;
    await deleteExpired(deps, at).catch((error: unknown) => {
      // The next pass repeats the deletion, which would otherwise wait for an hour.
      if (error instanceof StorageUnavailable) notedAt = Number.NEGATIVE_INFINITY;
      throw error;
    });
  };

  /** How far the wall clock was set since the last jump, in ms; 0 up to an hour. Small corrections add up. */
  function measureJump(at: number): number {
    const difference = at - monotonicNow();
    clockOffset ??= difference;
    const jump = Math.round(difference - clockOffset);
    if (Math.abs(jump) <= HOUR) return 0;
    clockOffset = difference;
    return jump;
  }

  /** The steady time continues over a restart of the process, unless the last note is over MAX_NOTE_GAP_MS away. */
  async function continueSteadyTime(at: number): Promise<number> {
    const note = await store.readNote("clock");
    const isContinued = note && Math.abs(note.at - at) <= MAX_NOTE_GAP_MS;
    return isContinued ? Number(note.value) : at;
  }
}

async function deleteExpired({ store, retention }: RetentionDeps, now: number): Promise<void> {
  const { retentionDays: days, dataDir } = retention;
  const before = now - days * DAY;
  const applicationIds = await store.deleteExpired(before);
  const files = await deleteExpiredFiles(fileChannelFolder({ dataDir }), before, (ids) =>
    store.listApplicationIds("applicationId", ids),
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
