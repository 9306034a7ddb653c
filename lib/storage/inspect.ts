/** Looks at a database without changing it: for the doctor, also while the site runs. */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { Config } from "#lib/config.ts";
import type { DatabaseState } from "#lib/storage/database.ts";
import { migrations } from "#lib/storage/migrations.ts";
import { inspectPostgres } from "#lib/storage/postgres/inspect.ts";
import { refuseLostDatabase } from "#lib/storage/sqlite/file.ts";
import { inspectSqlite } from "#lib/storage/sqlite/inspect.ts";

/**
 * The state of the configured database, looked through for damage; undefined before the first start.
 * @throws StorageUnavailable when it cannot be used.
 */
export async function inspectDatabase({
  databaseFile,
  databaseUrl,
}: Pick<Config, "databaseFile" | "databaseUrl">): Promise<DatabaseState | undefined> {
  if (databaseUrl !== undefined) return inspectPostgres(databaseUrl, migrations.length);
  if (!existsSync(dirname(databaseFile))) return undefined;
  refuseLostDatabase(databaseFile, undefined);
  if (!existsSync(databaseFile)) return undefined;
  return inspectSqlite(databaseFile, migrations.length);
}
