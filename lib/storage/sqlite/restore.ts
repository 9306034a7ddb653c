import { existsSync, renameSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { syncToDisk } from "#lib/atomic-file.ts";
import { fileError, StorageUnavailable } from "#lib/storage/errors.ts";
import { migrations, schemaVersionError } from "#lib/storage/migrations.ts";
import { copyDatabase, runExclusively } from "#lib/storage/sqlite/copy.ts";
import { translateSqliteError } from "#lib/storage/sqlite/errors.ts";
import { createPrivateFile, fileSize, writeMarker } from "#lib/storage/sqlite/file.ts";
import { hasTables, refuseForeignDatabase } from "#lib/storage/sqlite/foreign.ts";

/**
 * Moves the previous database to the file `aside`. A fault before the backup is in place changes nothing. Returns the
 * number of applications in the backup. @throws StorageUnavailable `locked` while the site runs
 */
export async function restoreSqlite(backup: string, databaseFile: string, aside: string) {
  const copy = `${databaseFile}.restoring`;
  try {
    refuseUnfitBackup(backup);
    await mkdir(dirname(databaseFile), { recursive: true, mode: 0o700 });
    rmSync(copy, { force: true });
    createPrivateFile(copy);
    const applications = copyDatabase(backup, copy);
    deleteBackupNotes(copy);
    await syncToDisk(copy);
    await putInPlace(copy, databaseFile, aside);
    return applications;
  } catch (error) {
    rmSync(copy, { force: true });
    throw translateSqliteError(error, basename(backup));
  }
}

function refuseUnfitBackup(backup: string): void {
  using connection = new DatabaseSync(backup, { readOnly: true });
  refuseForeignDatabase(connection, basename(backup));
  if (!hasTables(connection)) throw fileError(basename(backup), "missing", "has no tables");
  const row = connection.prepare("SELECT version FROM schema_version").get();
  const version = Number(row?.version);
  if (version > migrations.length) throw schemaVersionError(version, migrations.length);
}

/** A site that finds an old note of a backup would raise an alarm that the backups have stopped. */
function deleteBackupNotes(copy: string): void {
  using connection = new DatabaseSync(copy);
  connection.exec("DELETE FROM notes WHERE name IN ('backup', 'backup-failure')");
}

async function putInPlace(copy: string, databaseFile: string, aside: string): Promise<void> {
  const swap = async () => {
    await mkdir(dirname(aside), { recursive: true, mode: 0o700 });
    // The journal goes first, because it must not be applied to the new file.
    const suffixes = ["-wal", "-shm", ""].filter((end) => existsSync(databaseFile + end));
    const moved: string[] = [];
    try {
      for (const end of suffixes) {
        renameSync(databaseFile + end, aside + end);
        moved.unshift(end);
      }
      renameSync(copy, databaseFile);
    } catch (error) {
      for (const end of moved) renameSync(aside + end, databaseFile + end);
      throw error;
    }
    await syncToDisk(dirname(databaseFile), "r");
    await writeMarker(databaseFile);
  };
  if (fileSize(databaseFile) === 0) return swap();
  try {
    await runExclusively(databaseFile, swap);
  } catch (error) {
    const isDamaged = error instanceof StorageUnavailable && error.reason === "corrupt";
    if (!isDamaged) throw error;
    await swap();
  }
}
