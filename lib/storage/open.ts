import { type Config, config } from "#lib/config.ts";
import { processGlobals } from "#lib/process-globals.ts";
import type { DatabaseOpener } from "#lib/storage/database.ts";
import { openPostgres } from "#lib/storage/postgres/open.ts";
import { reconnectingDatabase } from "#lib/storage/reconnecting.ts";
import { openSqlite } from "#lib/storage/sqlite/open.ts";
import { createStore, type Store } from "#lib/storage/store.ts";

/** The database opens at its first use: an unavailable database stops neither the process nor its pages. */
export function openStore({
  databaseFile,
  databaseUrl,
}: Pick<Config, "databaseFile"> & Partial<Pick<Config, "databaseUrl">>): Store {
  const open: DatabaseOpener = (isReopening) =>
    databaseUrl ? openPostgres(databaseUrl, isReopening) : openSqlite(databaseFile, isReopening);
  return createStore(reconnectingDatabase(open));
}

export function sharedStore(): Store {
  processGlobals.store ??= openStore(config());
  return processGlobals.store;
}
