import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const KYSELY_IMPORT = 'import * as kysely from "kysely";\n';
const stepFrom = (column: string, name: string) => `
async function rename_${name}(trx: kysely.QueryExecutorProvider): Promise<void> {
  const { rows } = await kysely.sql<{ table: string }>\`select m.name as "table" from sqlite_schema m,
    pragma_table_info(m.name) c where m.type = 'table' and c.name = '${column}'\`.execute(trx);
  for (const { table } of rows)
    await kysely.sql.raw(\`alter table \${table} rename column ${column} to ${name}\`).execute(trx);
}
`;

/**
 * Makes the sources in a folder those of a version in whose tables a column has another name. An earlier version that
 * is still running can then store no application.
 */
export function renameColumn(folder: string, column = "content_hash", name = "fingerprint"): void {
  const property = column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const names = RegExp(`\\b(${column}|${property})\\b`, "g");
  for (const path of sourcesIn(folder)) {
    const source = readFileSync(path, "utf8");
    const renamed = source.replaceAll(names, name);
    if (renamed !== source) writeFileSync(path, renamed);
  }
  const path = join(folder, "lib/storage/migrations.ts");
  const source = readFileSync(path, "utf8");
  const list = /^(export const migrations = \[)([^\]]*?),?\s*\]/m;
  const steps = source.replace(list, `${stepFrom(column, name)}$1$2, rename_${name}]`);
  writeFileSync(path, `${source.startsWith(KYSELY_IMPORT) ? "" : KYSELY_IMPORT}${steps}`);
}

/** An earlier step names the column as it was. */
function sourcesIn(folder: string): string[] {
  return ["app", "cli", "components", "lib", "server"]
    .map((root) => join(folder, root))
    .filter((root) => existsSync(root))
    .flatMap((root) =>
      readdirSync(root, { recursive: true, encoding: "utf8" })
        .filter((name) => /\.tsx?$/.test(name) && !name.startsWith("storage/migrations"))
        .map((name) => join(root, name)),
    );
}
