import type { DatabaseSync } from "node:sqlite";
import { fileError } from "#lib/storage/errors.ts";

/** The application id in the file's header: "driv" in ASCII. https://sqlite.org/pragma.html#pragma_application_id */
const SQLITE_APPLICATION_ID = 0x64726976;

export const hasTables = (connection: DatabaseSync) =>
  connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table'").get() !== undefined;

/** Throws for another program's database, before anything is written to it. */
export function refuseForeignDatabase(connection: DatabaseSync, fileName: string): void {
  if (!hasTables(connection)) return;
  const { application_id: id } = connection.prepare("PRAGMA application_id").get() ?? {};
  if (id !== SQLITE_APPLICATION_ID) throw fileError(fileName, "foreign", `application id ${id}`);
}

export function writeSqliteApplicationId(connection: DatabaseSync): void {
  connection.exec(`PRAGMA application_id = ${SQLITE_APPLICATION_ID}`);
}
