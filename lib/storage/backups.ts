/** Backups of the SQLite database. Deletions are repeated in all backups in DATA_DIR. */
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { DAY, HOUR } from "#lib/application/durations.ts";
import type { Config } from "#lib/config.ts";
import { deleteExpired, forgetPhone } from "#lib/storage/queries/deletion.ts";
import { markSendingUnknown } from "#lib/storage/queries/lease.ts";
import type { Note } from "#lib/storage/queries/notes.ts";
import { copyDatabase, writeOffline } from "#lib/storage/sqlite/copy.ts";
import { restoreSqlite } from "#lib/storage/sqlite/restore.ts";
import type { Store } from "#lib/storage/store.ts";
import type { Trx } from "#lib/storage/tables.ts";

export function backupsFolder({ dataDir }: Pick<Config, "dataDir">): string {
  return join(dataDir, "backups");
}

/** The gap between the backups of two consecutive nights. */
const NIGHT = { least: 12 * HOUR, most: 36 * HOUR };
/** Consecutive nights with backups after which a missing backup means that the scheduler has failed. */
const SCHEDULED_NIGHTS = 2;
const MISSED_AFTER = 3 * DAY;

export async function noteBackup(store: Pick<Store, "findNote" | "writeNote">, backup: Note) {
  const last = await store.findNote("backup");
  const gap = backup.at - (last?.at ?? 0);
  if (gap > NIGHT.least) {
    const nights = gap > NIGHT.most ? 0 : (await countNights(store)) + 1;
    await store.writeNote("nightly-backups", { at: backup.at, value: `${nights}` });
  }
  await store.writeNote("backup", backup);
}

async function countNights(store: Pick<Store, "findNote">): Promise<number> {
  return Number((await store.findNote("nightly-backups"))?.value ?? 0);
}

/** The failure of the last backup, or the absence of scheduled backups for three days. */
export async function findBackupFailure(store: Pick<Store, "findNote">, now: number) {
  const failure = await store.findNote("backup-failure");
  const backup = await store.findNote("backup");
  if (failure && failure.at > (backup?.at ?? 0)) return failure;
  const missedAt = (backup?.at ?? now) + MISSED_AFTER;
  const isMissed = now >= missedAt && (await countNights(store)) >= SCHEDULED_NIGHTS;
  return isMissed ? { at: missedAt, value: "사흘 동안 백업이 없음" } : undefined;
}

/** Writes a backup to a file that is missing or empty. */
export const backUp = copyDatabase;

export const restoreBackup = restoreSqlite;

interface DeletedFromBackups {
  applicationIds: string[];
  /** The backups that contained any of the applications. */
  files: string[];
  /** Files from which nothing could be deleted, or the folder if it could not be read. */
  failed: string[];
}

/** `finishedBefore` is in ms since the epoch. */
export type ApplicationsToDelete = { finishedBefore: number } | { phone: string };

/** Deletes the files of interrupted backups too. The event loop runs between two files. */
export async function deleteFromBackups(folder: string, toDelete: ApplicationsToDelete) {
  const cleaned: DeletedFromBackups = { applicationIds: [], files: [], failed: [] };
  const names = await backupsIn(folder).catch(() => {
    cleaned.failed.push(folder);
    return [];
  });
  for (const name of names) {
    await nextTurn();
    try {
      const file = join(folder, name);
      if (UNFINISHED.test(name)) {
        await deleteIfInterrupted(file);
        continue;
      }
      const applicationIds = await writeOffline(file, (backup) => cleanBackup(backup, toDelete));
      cleaned.applicationIds.push(...applicationIds);
      if (applicationIds.length > 0) cleaned.files.push(name);
    } catch {
      // A file that is not a backup, or that cannot be written, must not prevent the deletion from other backups.
      cleaned.failed.push(name);
    }
  }
  return { ...cleaned, applicationIds: [...new Set(cleaned.applicationIds)] };
}

async function cleanBackup(backup: Trx, toDelete: ApplicationsToDelete): Promise<string[]> {
  if ("finishedBefore" in toDelete) return deleteExpired(backup, toDelete.finishedBefore);
  // Attempts that were running at the time of the backup have an unknown outcome.
  await markSendingUnknown(backup, 0);
  return (await forgetPhone(backup, toDelete.phone)).applicationIds;
}

const DAYS_KEPT = 14;

/**
 * Keeps the last 14 days that have a backup, so that a clock jump deletes no backup. The days are read from the file
 * names, because a deletion from a backup changes the time of its file.
 */
export async function deleteOldBackups(folder: string): Promise<string[]> {
  const dayOf = (name: string) => /^applications-(\d{4}-\d{2}-\d{2})_\d{6}\.db$/.exec(name)?.[1];
  const own = (await backupsIn(folder)).filter((name) => dayOf(name) !== undefined);
  const days = [...new Set(own.map(dayOf))].toSorted().slice(-DAYS_KEPT);
  const old = own.filter((name) => !days.includes(dayOf(name)));
  for (const name of old) await rm(join(folder, name), { force: true });
  return old;
}

/** Names of the temporary files that lib/atomic-file.ts writes. */
const UNFINISHED = /^\..*\.db\.\d+\.tmp$/;

/** A backup that was killed leaves a file with personal data. A running backup has just written to its file. */
async function deleteIfInterrupted(file: string): Promise<void> {
  const { mtimeMs } = await stat(file);
  if (Date.now() - mtimeMs > HOUR) await rm(file);
}

async function backupsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names.filter((name) => /^[^.].*\.db$/.test(name) || UNFINISHED.test(name));
}
