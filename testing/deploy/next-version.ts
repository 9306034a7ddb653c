import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const COLUMN_NAME_PATTERN = /\b(content_hash|contentHash)\b/g;
const MIGRATION_SOURCE = `
async function rename_column(trx: kysely.QueryExecutorProvider): Promise<void> {
  const { rows } = await kysely.sql<{ table: string }>\`select m.name as "table" from sqlite_schema m,
    pragma_table_info(m.name) c where m.type = 'table' and c.name = 'content_hash'\`.execute(trx);
  for (const { table } of rows)
    await kysely.sql.raw(\`alter table \${table} rename column content_hash to fingerprint\`).execute(trx);
}
`;

/**
 * Turns the sources in a folder into a version that renames a column of the tables. Once that version has started, an
 * earlier version that is still running can store no application.
 */
export function renameColumn(folder: string): void {
  for (const path of sourcesIn(folder)) {
    const source = readFileSync(path, "utf8");
    const renamed = source.replaceAll(COLUMN_NAME_PATTERN, "fingerprint");
    if (renamed !== source) writeFileSync(path, renamed);
  }
  const path = join(folder, "lib/storage/migrations.ts");
  const list = /^(export const migrations = \[)([^\]]*?),?\s*\]/m;
  const steps = readFileSync(path, "utf8").replace(list, `${MIGRATION_SOURCE}$1$2, rename_column]`);
  writeFileSync(path, `import * as kysely from "kysely";\n${steps}`);
}

/** The sources of the product without the migrations, which keep the name that the column had at first. */
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
