import { dirname } from "node:path";
import type { Config } from "#lib/config.ts";
import { backUpBeforeUpdate, backupsFolder, findBackupBeforeUpdate } from "#lib/storage/backups.ts";
import type { Database, OpenOptions, TablesMode } from "#lib/storage/database.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { migrations } from "#lib/storage/migrations.ts";
import { createRowLease } from "#lib/storage/postgres/lease.ts";
import { openPostgres } from "#lib/storage/postgres/open.ts";
import { reconnectingDatabase } from "#lib/storage/reconnecting.ts";
import { createFileLease, tryLockFile } from "#lib/storage/sqlite/lease.ts";
import { openSqlite } from "#lib/storage/sqlite/open.ts";
import { createStore, type Store } from "#lib/storage/store.ts";

type Place = Pick<Config, "databaseFile"> & Partial<Pick<Config, "databaseUrl" | "dataDir">>;

const leaseFile = (databaseFile: string) => `${databaseFile}.worker`;

/** Keeps every worker from this SQLite database until the returned lock is closed. Undefined if it cannot be taken. */
export const tryLockLease = (databaseFile: string) =>
  tryLockFile(leaseFile(databaseFile), () => undefined);

/** The database opens at its first use: an unavailable database stops neither the process nor its pages. */
export function openStore(place: Place, tables: TablesMode = "expect"): Store {
  const { databaseFile, databaseUrl } = place;
  if (databaseUrl === undefined) {
    const file = reconnectingDatabase((isReopening) =>
      openSqliteWithBackup(place, { tables, isReopening }),
    );
    return createStore(file, createFileLease(leaseFile(databaseFile), file));
  }
  const server = reconnectingDatabase((isReopening) =>
    openPostgres(databaseUrl, { tables, isReopening }),
  );
  return createStore(server, createRowLease(server));
}

async function openSqliteWithBackup(
  { databaseFile, dataDir = dirname(databaseFile) }: Place,
  options: OpenOptions,
): Promise<Database> {
  const backups = backupsFolder({ dataDir });
  const beforeMigration = () => backUpBeforeUpdate(databaseFile, backups);
  return openSqlite(databaseFile, { ...options, beforeMigration }).catch(async (error) => {
    const isNewer = error instanceof StorageUnavailable && error.reason === "newer-schema";
    const file = isNewer && (await findBackupBeforeUpdate(backups, migrations.length));
    if (!file) throw error;
    throw new StorageUnavailable(`${error.message} (${file})`, "newer-schema");
  });
}
