/** Whose database a SQLite file is. */
import { DatabaseSync } from "node:sqlite";
import { Kysely, sql } from "kysely";
import type { ColumnKinds } from "#lib/storage/database.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { migrations } from "#lib/storage/migrations.ts";
import { sqliteDialect } from "#lib/storage/sqlite/driver.ts";
import type { Tables } from "#lib/storage/tables.ts";

/** The names of a table's columns, by the name of the table. */
type Columns = ReadonlyMap<string, readonly string[]>;

export const kinds: ColumnKinds = {
  clock: sql`select cast(unixepoch('subsec') * 1000 as integer) as now`,
  identity: (column) => column.primaryKey().autoIncrement(),
};

/** A newer program may have changed the columns; each of its databases has these tables. */
const LASTING: Columns = new Map(
  ["applications", "identity", "jobs", "schema_version", "sends"].map((name) => [name, []]),
);

/**
 * Refuses a database of another program, before anything is written to it. Returns whether ours is still
 * without tables.
 * @throws StorageUnavailable
 */
export async function refuseForeign(connection: DatabaseSync, fileName: string): Promise<boolean> {
  const found = columnsIn(connection);
  if (found.size === 0) return true;
  const version = versionIn(connection, found);
  // A start that ended between the version's table and the first migration.
  if (version === 0 && found.size === 1) return true;
  if (version !== undefined) {
    const isKnown = version > 0 && version <= migrations.length;
    const expected = isKnown ? await columnsAt(version) : LASTING;
    const isOurs = [...expected].every(([table, columns]) =>
      columns.every((column) => found.get(table)?.includes(column)),
    );
    if (isOurs && [...expected.keys()].every((table) => found.has(table))) return false;
  }
  throw new StorageUnavailable(
    `The file ${fileName} is the database of another program: nothing was written to it. Check DATA_DIR and DATABASE_URL.`,
    "foreign",
  );
}

/** Undefined before the first migration. */
export function identityIn(connection: DatabaseSync): string | undefined {
  const table = "SELECT 1 FROM sqlite_schema WHERE name = 'identity'";
  if (connection.prepare(table).get() === undefined) return undefined;
  const row = connection.prepare("SELECT id FROM identity").get();
  return typeof row?.id === "string" ? row.id : undefined;
}

/** SQLite's own tables are left out. */
function columnsIn(connection: DatabaseSync): Columns {
  const rows = connection
    .prepare(
      `SELECT tables.name AS name, columns.name AS part
       FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
       WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
    )
    .all();
  const byTable = Map.groupBy(rows, ({ name }) => String(name));
  return new Map(
    [...byTable].map(([table, columns]) => [table, columns.map(({ part }) => String(part))]),
  );
}

/** 0 before the first migration; undefined when another program counts in its own way. */
function versionIn(connection: DatabaseSync, found: Columns): number | undefined {
  if (!found.get("schema_version")?.includes("version")) return undefined;
  const { version = 0 } = connection.prepare("SELECT version FROM schema_version").get() ?? {};
  return typeof version === "number" ? version : undefined;
}

/** What the migrations up to a version make. */
async function columnsAt(version: number): Promise<Columns> {
  using connection = new DatabaseSync(":memory:");
  const kysely = new Kysely<Tables>({ dialect: sqliteDialect(connection, ":memory:") });
  await kysely.transaction().execute(async (transaction) => {
    for (const step of migrations.slice(0, version)) await step(transaction, kinds);
  });
  return columnsIn(connection);
}
