/** The move of `npm run migrate-to-postgres`: every table in one transaction, compared on both sides. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { type Kysely, sql, type Transaction } from "kysely";
import { CommandFault } from "#cli/command-fault.ts";
import { say } from "#cli/say.ts";
import type { Database } from "#lib/storage/database.ts";
import { openPostgres } from "#lib/storage/postgres/open.ts";
import { openSqlite } from "#lib/storage/sqlite/open.ts";
import type { Tables } from "#lib/storage/tables.ts";

/** Rows come after the rows that they refer to. Tables of short-lived counters are not moved. */
const MOVED = [
  "applications",
  "deliveries",
  "messages",
  "channel_faults",
  "recipient_faults",
  "alarms",
  "weekly_summaries",
  "idempotency_keys",
] as const;
const ROWS_AT_ONCE = 500;

type Row = Record<string, unknown>;

/** Moves everything in a SQLite file to an empty PostgreSQL. @throws CommandFault, StorageUnavailable */
export async function move(file: string, url: string): Promise<void> {
  if (!existsSync(file)) throw new CommandFault(`There is no database at ${file}.`);
  const source = await openSqlite(file);
  try {
    const moved = await source.whenAlone(() => moveTo(url, source));
    if (!moved) {
      throw new CommandFault(
        "The site is running on the SQLite file: stop it, so that nothing comes in meanwhile.",
      );
    }
  } finally {
    await source.close();
  }
  say("Every table is equal on both sides. Start the site; it runs on PostgreSQL now.");
  say(`The old file holds the same personal data: delete ${file} once you have looked around.`);
}

async function moveTo(url: string, source: Database): Promise<true> {
  const target = await openPostgres(url);
  try {
    // Both databases are locked: nobody writes to the source, and nobody else can open the target.
    const done = await target.whenAlone(() =>
      source.write((from) => target.write((to) => copy(from, to), "deliveries")),
    );
    if (done) return done;
    throw new CommandFault("The PostgreSQL database is in use: stop every site that runs on it.");
  } finally {
    await target.close();
  }
}

async function copy(from: Transaction<Tables>, to: Transaction<Tables>): Promise<true> {
  for (const table of MOVED) {
    if ((await rowsOf(to, table)).length > 0) {
      throw new CommandFault(
        `The PostgreSQL database already has rows in ${table}: give it an empty one.`,
      );
    }
  }
  for (const table of MOVED) {
    const rows = await rowsOf(from, table);
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      await insert(to, table, rows.slice(start, start + ROWS_AT_ONCE));
    }
    const [before, after] = [digestOf(rows), digestOf(await rowsOf(to, table))];
    if (before !== after) throw new Error(`${table} differs after the copy: ${before}, ${after}`);
    say(`${table.padEnd(18)}${before}`);
  }
  await goOnCounting(from, to);
  return true;
}

async function rowsOf(database: Kysely<Tables>, table: string): Promise<Row[]> {
  const { rows } = await sql<Row>`select * from ${sql.table(table)}`.execute(database);
  return rows;
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

/** The number of rows and a hash of their contents, whatever their order. */
function digestOf(rows: readonly Row[]): string {
  const columns = columnsOf(rows);
  const lines = rows.map((row) => JSON.stringify(columns.map((column) => [column, row[column]])));
  const hash = createHash("sha256").update(lines.toSorted().join("\n")).digest("hex");
  return `${rows.length} rows, sha256 ${hash}`;
}

/** Sets the sequence, so that the id of a deleted delivery is not used again. */
async function goOnCounting(from: Transaction<Tables>, to: Transaction<Tables>): Promise<void> {
  const { rows } = await sql<{ seq: number }>`
    select seq from sqlite_sequence where name = 'deliveries'`.execute(from);
  const last = rows[0]?.seq;
  if (last === undefined || last === 0) return;
  await sql`select setval(pg_get_serial_sequence('deliveries', 'id'), ${last})`.execute(to);
}
