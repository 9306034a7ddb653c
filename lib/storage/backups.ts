/** Backups of the SQLite database, in `backups` of DATA_DIR. The site deletes its own backups after 14 days. */
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { BACKUP_LIFETIME_MS, DAY, HOUR } from "#lib/application/durations.ts";
import { fileNameTime } from "#lib/application/seoul-time.ts";
import { writeAtomically } from "#lib/atomic-file.ts";
import type { Config } from "#lib/config.ts";
import { log } from "#lib/log.ts";
import { copyDatabase, readSchemaVersion } from "#lib/storage/sqlite/copy.ts";
import { forgetInFile } from "#lib/storage/sqlite/forget-in-file.ts";
import { restoreSqlite } from "#lib/storage/sqlite/restore.ts";
import type { Store } from "#lib/storage/store.ts";

export function backupsFolder({ dataDir }: Pick<Config, "dataDir">): string {
  return join(dataDir, "backups");
}

/** `applications`: written by the command `backup`. The others: the database before an update or a restore. */
type Occasion = "applications" | "before-update" | "before-restore";

export function backupPath(folder: string, occasion: Occasion, at = Date.now()): string {
  return join(folder, `${occasion}-${fileNameTime(at)}.db`);
}

/** A database that a restore has moved away brings its journal: `-wal`, `-shm`. */
const OWN_BACKUP_NAME_PATTERN =
  /^(?:applications|before-update|before-restore)-([\d-]{10})_(\d\d)(\d\d)(\d\d)\.db(?:-wal|-shm)?$/;
/** Names of the temporary files that lib/atomic-file.ts writes. */
const UNFINISHED_BACKUP_PATTERN = /^\..*\.db\.\d+\.tmp$/;

const BACKUP_MISSED_AFTER_MS = 3 * DAY;

/** The failure of the last backup, or the absence of a new backup for three days after the last one. */
export async function findBackupFailure(store: Pick<Store, "readNote">, now: number) {
  const failure = await store.readNote("backup-failure");
  const backup = await store.readNote("backup");
  if (failure && failure.at > (backup?.at ?? 0)) return failure;
  if (!backup || now < backup.at + BACKUP_MISSED_AFTER_MS) return undefined;
  return { at: backup.at + BACKUP_MISSED_AFTER_MS, value: "사흘 동안 백업이 없음" };
}

/** Writes a backup to a file that is missing or empty. */
export const backUp = copyDatabase;

export const restoreBackup = restoreSqlite;

/** @throws StorageUnavailable if there is no room: then the tables stay as they are */
export async function backUpBeforeUpdate(databaseFile: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = backupPath(folder, "before-update");
  await writeAtomically(file, (temporary) => backUp(databaseFile, temporary));
  log.info({ backup: basename(file) }, "backed up the database before its tables change");
}

/** The newest `before-update` backup with tables of `version` or of an older version. */
export async function findBackupBeforeUpdate(folder: string, version: number) {
  const names = await listNames(folder).catch(() => []);
  const files = names.filter((name) => /^before-update-.*\.db$/.test(name)).toSorted();
  return files
    .map((name) => join(folder, name))
    .findLast((file) => Number(readSchemaVersion(file)) <= version);
}

interface ForgottenInBackups {
  applicationIds: string[];
  /** The backups that contained any of the applications. */
  files: string[];
  /** Files from which nothing could be deleted, or the folder if it could not be read. */
  failed: string[];
}

/** Deletes a person from every backup that can be written, whatever version its tables have. */
export async function forgetInBackups(folder: string, phone: string): Promise<ForgottenInBackups> {
  const forgotten: ForgottenInBackups = { applicationIds: [], files: [], failed: [] };
  const names = await listNames(folder).catch(() => {
    forgotten.failed.push(folder);
    return [];
  });
  for (const name of names) {
    try {
      const file = join(folder, name);
      if (UNFINISHED_BACKUP_PATTERN.test(name)) await deleteIfInterrupted(file);
      if (!/^[^.].*\.db$/.test(name)) continue;
      const applicationIds = forgetInFile(file, phone);
      forgotten.applicationIds.push(...applicationIds);
      if (applicationIds.length > 0) forgotten.files.push(name);
    } catch {
      // A file that is not a backup, or that cannot be written, must not prevent the deletion from other backups.
      forgotten.failed.push(name);
    }
  }
  return { ...forgotten, applicationIds: [...new Set(forgotten.applicationIds)] };
}

/**
 * Deletes the site's own backups after 14 days, and the files of interrupted backups. The time is read from the file's
 * name, because a deletion from a backup changes the time of its file.
 */
export async function deleteOldBackups(folder: string, now: number) {
  const changes: { deleted: string[]; failed: string[] } = { deleted: [], failed: [] };
  const names = await listNames(folder).catch(() => {
    changes.failed.push(folder);
    return [];
  });
  for (const name of names) {
    await nextTurn();
    try {
      if (UNFINISHED_BACKUP_PATTERN.test(name)) await deleteIfInterrupted(join(folder, name));
      const [, date, hour, minute, second] = OWN_BACKUP_NAME_PATTERN.exec(name) ?? [];
      const at = Date.parse(`${date}T${hour}:${minute}:${second}+09:00`);
      if (!(now - at > BACKUP_LIFETIME_MS)) continue;
      await rm(join(folder, name));
      changes.deleted.push(name);
    } catch {
      changes.failed.push(name);
    }
  }
  return changes;
}

/** Deletes a file to which no backup has written for an hour: a killed backup leaves it behind, with personal data. */
async function deleteIfInterrupted(file: string): Promise<void> {
  const { mtimeMs } = await stat(file);
  if (Date.now() - mtimeMs > HOUR) await rm(file);
}

async function listNames(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}
