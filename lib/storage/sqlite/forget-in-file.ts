import { DatabaseSync } from "node:sqlite";

/** Longest wait for the lock of the file. A program that reads the backup usually finishes within this time. */
const READER_WAIT_MS = 500;

/**
 * Deletes one person from a database file that no site has open, and returns the numbers of the applications. Only the
 * table `applications` and the columns `phone` and `application_id` are known: a backup may have the tables of any
 * version. The tables stay as they are, so that the version that made the backup can restore it.
 */
export function forgetInFile(file: string, phone: string): string[] {
  using connection = new DatabaseSync(file, { timeout: READER_WAIT_MS });
  const list = (query: string, ...terms: string[]) => connection.prepare(query).all(...terms);
  connection.exec("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL");
  connection.exec("PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON");
  connection.exec("BEGIN IMMEDIATE");
  const found = list("SELECT application_id FROM applications WHERE phone = ?", phone);
  const applicationIds = found.map((row) => String(row.application_id));
  const ofThePerson = "application_id IN (SELECT value FROM json_each(?))";
  const columns = list(`SELECT t.name AS tableName, c.name AS columnName
    FROM sqlite_schema AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table'`);
  const withApplicationId = columns.filter((column) => column.columnName === "application_id");
  const references = list(`SELECT t.name AS child, f."from" AS childColumn,
      f."table" AS parent, coalesce(f."to", 'rowid') AS parentColumn
    FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS f WHERE t.type = 'table'`);
  const hasApplicationId = (name: unknown) =>
    withApplicationId.some(({ tableName }) => tableName === name);
  const deletions = [
    ...references
      .filter(({ child, parent }) => hasApplicationId(parent) && !hasApplicationId(child))
      .map(
        ({ child, childColumn, parent, parentColumn }) =>
          `"${child}" WHERE "${childColumn}" IN
            (SELECT "${parentColumn}" FROM "${parent}" WHERE ${ofThePerson})`,
      ),
    ...withApplicationId
      .filter(({ tableName }) => tableName !== "applications")
      .map(({ tableName }) => `"${tableName}" WHERE ${ofThePerson}`),
    `applications WHERE ${ofThePerson}`,
  ];
  for (const each of deletions)
    connection.prepare(`DELETE FROM ${each}`).run(JSON.stringify(applicationIds));
  connection.exec("COMMIT");
  return applicationIds;
}
