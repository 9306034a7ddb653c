import { basename } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { DatabaseState } from "#lib/storage/database.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { newerSchema } from "#lib/storage/migrations.ts";
import { asStorageFault } from "#lib/storage/sqlite/errors.ts";
import { refuseLostTables } from "#lib/storage/sqlite/file.ts";
import { refuseForeign } from "#lib/storage/sqlite/identity.ts";

const LOCK_WAIT_MS = 2_000;

/** See inspectDatabase. */
export async function inspectSqlite(
  file: string,
  ourVersion: number,
): Promise<DatabaseState | undefined> {
  const fileName = basename(file);
  try {
    using connection = new DatabaseSync(file, { readOnly: true, timeout: LOCK_WAIT_MS });
    const read = (query: string) => connection.prepare(query).get();
    const findings = read("PRAGMA integrity_check(1)");
    if (findings?.integrity_check !== "ok") {
      throw new StorageUnavailable(`The database ${fileName} is damaged.`, "corrupt");
    }
    if (await refuseLostTables(file, () => refuseForeign(connection, fileName))) return undefined;
    const version = numberIn(read("SELECT version AS value FROM schema_version")) ?? 0;
    if (version > ourVersion) throw newerSchema(version, ourVersion);
    const newestAt = numberIn(read("SELECT max(submitted_at) AS value FROM applications"));
    return { stepsBehind: ourVersion - version, newestAt };
  } catch (error) {
    throw asStorageFault(error, fileName);
  }
}

function numberIn(row: Record<string, unknown> | undefined): number | undefined {
  return typeof row?.value === "number" ? row.value : undefined;
}
