import type { DatabaseState } from "#lib/storage/database.ts";
import { newerSchema } from "#lib/storage/migrations.ts";
import { asStorageFault } from "#lib/storage/postgres/errors.ts";
import { openPool, refuseLossy, serverNameOf } from "#lib/storage/postgres/open.ts";

/** See inspectDatabase. PostgreSQL looks for damage itself, with its checksums. */
export async function inspectPostgres(
  url: string,
  ourVersion: number,
): Promise<DatabaseState | undefined> {
  const serverName = serverNameOf(url);
  const pool = openPool(url, { max: 1 });
  const read = async (query: string): Promise<unknown> => {
    const { rows } = await pool.query<{ value: unknown }>(query);
    return rows[0]?.value;
  };
  try {
    refuseLossy(await read("select current_setting('fsync') as value"), serverName);
    if ((await read("select to_regclass('schema_version') as value")) === null) return undefined;
    const version = Number((await read("select version as value from schema_version")) ?? 0);
    if (version > ourVersion) throw newerSchema(version, ourVersion);
    const newestAt = await read("select max(submitted_at) as value from applications");
    return {
      stepsBehind: ourVersion - version,
      newestAt: typeof newestAt === "number" ? newestAt : undefined,
    };
  } catch (error) {
    throw asStorageFault(error, serverName);
  } finally {
    await pool.end();
  }
}
