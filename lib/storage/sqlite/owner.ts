import type { DatabaseSync } from "node:sqlite";
import { StorageUnavailable } from "#lib/storage/errors.ts";

/** The application id in the file's header: "driv" in ASCII. https://sqlite.org/pragma.html#pragma_application_id */
const APPLICATION_ID = 0x64726976;

/** The tables of databases before version 1.0.0, whose header has no id. */
const FIRST_TABLES = ["applications", "deliveries", "schema_version"];

/** Throws for another program's database, before anything is written to it. Returns true for a file without tables. */
export function refuseForeignDatabase(connection: DatabaseSync, fileName: string): boolean {
  const tables = connection
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => String(name));
  if (tables.length === 0) return true;
  const { application_id: owner } = connection.prepare("PRAGMA application_id").get() ?? {};
  if (owner === APPLICATION_ID) return false;
  if (FIRST_TABLES.every((name) => tables.includes(name))) {
    throw new StorageUnavailable(
      `The database ${fileName} is from a version of this site before 1.0.0, which this program cannot take over: nothing was written to it. Read its applications with the program that made it, then move the file and ${fileName}.created elsewhere.`,
      "too-old",
    );
  }
  throw new StorageUnavailable(
    `The file ${fileName} is the database of another program: nothing was written to it. Check DATA_DIR and DATABASE_URL.`,
    "foreign",
  );
}

export function writeApplicationId(connection: DatabaseSync): void {
  connection.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
}
