import { type Config, config } from "#lib/config.ts";
import { processGlobals } from "#lib/process-globals.ts";
import type { DatabaseOpener, TablesMode } from "#lib/storage/database.ts";
import { openPostgres } from "#lib/storage/postgres/open.ts";
import { reconnectingDatabase } from "#lib/storage/reconnecting.ts";
import { openSqlite } from "#lib/storage/sqlite/open.ts";
import { createStore, type Store } from "#lib/storage/store.ts";

/** The database opens at its first use: an unavailable database stops neither the process nor its pages. */
export function openStore(
  {
    databaseFile,
    databaseUrl,
  }: Pick<Config, "databaseFile"> & Partial<Pick<Config, "databaseUrl">>,
  tables: TablesMode = "expect",
): Store {
  const open: DatabaseOpener = (isReopening) =>
    databaseUrl
      ? openPostgres(databaseUrl, { tables, isReopening })
      : openSqlite(databaseFile, { tables, isReopening });
  return createStore(reconnectingDatabase(open));
}

/** The server's store. */
export function sharedStore(): Store {
  processGlobals.store ??= openStore(config(), "migrate");
  return processGlobals.store;
}
