/** The move of `npm run migrate-to-postgres`: all in one transaction, and each table compared on both sides. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { type Kysely, sql, type Transaction } from "kysely";
import type { Database } from "#lib/storage/database.ts";
import { MoveRefused } from "#lib/storage/errors.ts";
import { openPostgres } from "#lib/storage/postgres/open.ts";
import type { NoteName } from "#lib/storage/queries/notes.ts";
import { openSqlite } from "#lib/storage/sqlite/open.ts";
import type { Tables } from "#lib/storage/tables.ts";

/**
 * Rows come after the rows that they refer to. Not moved: `worker`, which is the running one; `identity`, which tells one database from every other,
 * `schema_version`, which the target has already, and `rate_limits`, which are counters that live for a day at most.
 */
const MOVED = [
  "applications",
  "jobs",
  "sends",
  "idempotency_keys",
  "notes",
] as const satisfies (keyof Tables)[];
/**
 * Notes that are neither moved nor in the way. PostgreSQL is backed up with its own tools, which note nothing: the last
 * failure would be reported for ever. The doctor writes the probe into a database that is otherwise empty.
 */
const LEFT_NOTES: readonly unknown[] = [
  "backup",
  "backup-failure",
  "write-probe",
] satisfies NoteName[];
const ROWS_AT_ONCE = 500;

type Row = Record<string, unknown>;

/** What a table holds on both sides. */
interface MovedTable {
  table: string;
  rows: number;
  /** Of the contents of the rows, whatever their order. */
  sha256: string;
}

/** Moves what a SQLite file holds to an empty PostgreSQL. @throws MoveRefused, StorageUnavailable */
export async function moveToPostgres(file: string, url: string): Promise<MovedTable[]> {
  if (!existsSync(file)) throw new MoveRefused(`There is no database at ${file}.`);
  const source = await openSqlite(file);
  try {
    const moved = await source.whenAlone(() => moveTo(url, source));
    if (moved) return moved;
    throw new MoveRefused(
      "The site is running on the SQLite file: stop it, so that nothing comes in meanwhile.",
    );
  } finally {
    await source.close();
  }
}

async function moveTo(url: string, source: Database): Promise<MovedTable[]> {
  const target = await openPostgres(url);
  try {
    // Both databases are locked: nobody writes to the source, and nobody else can open the target.
    const moved = await target.whenAlone(() =>
      source.write((from) => target.write((to) => copy(from, to), "deliveries")),
    );
    if (moved) return moved;
    throw new MoveRefused("The PostgreSQL database is in use: stop every site that runs on it.");
  } finally {
    await target.close();
  }
}

async function copy(from: Transaction<Tables>, to: Transaction<Tables>): Promise<MovedTable[]> {
  for (const table of MOVED) {
    if ((await rowsOf(to, table)).length > 0) {
      throw new MoveRefused(
        `The PostgreSQL database already has rows in ${table}: give it an empty one.`,
      );
    }
  }
  const moved: MovedTable[] = [];
  for (const table of MOVED) {
    const rows = await rowsOf(from, table);
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      await insert(to, table, rows.slice(start, start + ROWS_AT_ONCE));
    }
    const [before, after] = [digestOf(rows), digestOf(await rowsOf(to, table))];
    if (before !== after) throw new Error(`${table} differs after the copy: ${before}, ${after}`);
    moved.push({ table, rows: rows.length, sha256: before });
  }
  await goOnCounting(from, to);
  return moved;
}

/** The rows that are moved, or compared with them. */
async function rowsOf(database: Kysely<Tables>, table: string): Promise<Row[]> {
  const { rows } = await sql<Row>`select * from ${sql.table(table)}`.execute(database);
  // A digest comes before the jobs that it carries.
  if (table === "jobs") return rows.toSorted((one, other) => Number(other.id) - Number(one.id));
  return table === "notes" ? rows.filter(({ name }) => !LEFT_NOTES.includes(name)) : rows;
}

async function insert(to: Transaction<Tables>, table: string, rows: readonly Row[]): Promise<void> {
  const columns = columnsOf(rows);
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  const names = sql.join(columns.map((column) => sql.ref(column)));
  await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)}`.execute(to);
}

function columnsOf(rows: readonly Row[]): string[] {
  return Object.keys(rows[0] ?? {}).toSorted();
}

/** A hash of the rows' contents, whatever their order. */
function digestOf(rows: readonly Row[]): string {
  const columns = columnsOf(rows);
  const lines = rows.map((row) => JSON.stringify(columns.map((column) => [column, row[column]])));
  return createHash("sha256").update(lines.toSorted().join("\n")).digest("hex");
}

/** Sets the sequences, so that the id of something that was deleted is not used again. */
async function goOnCounting(from: Transaction<Tables>, to: Transaction<Tables>): Promise<void> {
  for (const table of ["jobs", "sends"]) {
    const { rows } = await sql<{ seq: number }>`
      select seq from sqlite_sequence where name = ${table}`.execute(from);
    const last = rows[0]?.seq;
    if (last === undefined || last === 0) continue;
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last})`.execute(to);
  }
}
