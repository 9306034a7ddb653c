/** Whose database a SQLite file is. */
import type { DatabaseSync } from "node:sqlite";
import { StorageUnavailable } from "#lib/storage/errors.ts";

/** Every database of ours has these, from its first migration on. */
const OUR_TABLES = ["applications", "deliveries", "identity", "messages", "schema_version"];

/** Refuses a database of another program, before anything is written to it. @throws StorageUnavailable */
export function refuseForeign(connection: DatabaseSync, fileName: string): void {
  const tables = connection
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .all()
    .map(({ name }) => name);
  // Empty, or ended between the version's table and the first migration.
  const isNew = tables.every((name) => name === "schema_version");
  if (isNew || OUR_TABLES.every((name) => tables.includes(name))) return;
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
