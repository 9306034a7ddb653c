/** `npm run migrate-to-postgres`: copies MOVED_TABLES in one transaction, and compares each table with its copy. */
import { existsSync } from "node:fs";
import { sql } from "kysely";
import { MoveToPostgresRefused, StorageUnavailable } from "#lib/storage/errors.ts";
import { openPostgres } from "#lib/storage/postgres/open.ts";
import { runExclusively } from "#lib/storage/sqlite/copy.ts";
import { openSqlite } from "#lib/storage/sqlite/open.ts";
import type { Trx } from "#lib/storage/tables.ts";

/**
 * Each table follows the tables that it refers to. Not moved: `schema_version` and `worker`, which the target has, and
 * `notes`, which are about the SQLite file and its host.
 */
const MOVED_TABLES = ["applications", "notices", "messages", "charges"];
const ROWS_AT_ONCE = 500;

type MovedRows = { table: string; rows: number }[];

/** @throws MoveToPostgresRefused, StorageUnavailable */
export async function moveToPostgres(file: string, url: string): Promise<MovedRows> {
  if (!existsSync(file)) throw new MoveToPostgresRefused(`There is no database at ${file}.`);
  await (await openSqlite(file)).close();
  const target = await openPostgres(url, { tables: "create" });
  try {
    return await runExclusively(file, (from) =>
      target.write((to) => copyTables(withRawNames(from), withRawNames(to)), "deliveries"),
    );
  } catch (error) {
    const isLocked = error instanceof StorageUnavailable && error.reason === "locked";
    if (!isLocked) throw error;
    throw new MoveToPostgresRefused(
      "The site is running on the SQLite file, or on the PostgreSQL: stop it, so that nothing comes in meanwhile.",
    );
  } finally {
    await target.close();
  }
}

/** Tables and columns have the names of the database, and null stays null. */
const withRawNames = (trx: Trx) => trx.withoutPlugins().withTables<Record<string, object>>();
type RawTrx = ReturnType<typeof withRawNames>;

async function copyTables(from: RawTrx, to: RawTrx): Promise<MovedRows> {
  // A site that runs on the target has to wait for this lock, so that it writes nothing between the check and the copy.
  await sql`lock table ${sql.join(MOVED_TABLES.map((table) => sql.table(table)))}`.execute(to);
  for (const table of MOVED_TABLES) {
    if (await to.selectFrom(table).selectAll().executeTakeFirst()) {
      throw new MoveToPostgresRefused(
        `The PostgreSQL database already has rows in ${table}: export what it has first, and give it an empty one.`,
      );
    }
  }
  const moved: MovedRows = [];
  for (const table of MOVED_TABLES) {
    const rows = await from.selectFrom(table).selectAll().execute();
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      const some = rows.slice(start, start + ROWS_AT_ONCE);
      await to.insertInto(table).values(some).execute();
    }
    const isEqual =
      contentsOf(rows) === contentsOf(await to.selectFrom(table).selectAll().execute());
    if (!isEqual) {
      throw new MoveToPostgresRefused(
        `The copy of ${table} differs from the original: see whether the PostgreSQL database has triggers.`,
      );
    }
    moved.push({ table, rows: rows.length });
  }
  await continueSequences(from, to);
  return moved;
}

/** A string that is equal for equal rows, whatever their order. */
function contentsOf(rows: readonly object[]): string {
  return rows
    .map((row) => JSON.stringify(Object.entries(row).toSorted()))
    .toSorted()
    .join("\n");
}

/** Lets new ids follow those of SQLite, because the ids of deleted rows must not be used again. */
async function continueSequences(from: RawTrx, to: RawTrx): Promise<void> {
  for (const table of ["notices", "messages"]) {
    const { rows } = await sql<{ seq: number }>`
      select seq from sqlite_sequence where name = ${table}`.execute(from);
    const last = rows[0]?.seq;
    if (last === undefined || last === 0) continue;
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last})`.execute(to);
  }
}
