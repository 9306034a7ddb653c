import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const stepFrom = (column: string, name: string) => `
async function rename_${name}(trx: QueryExecutorProvider): Promise<void> {
  await sql.raw("alter table applications rename column ${column} to ${name}").execute(trx);
}
`;

/**
 * Makes the sources in a folder those of a version whose tables have another column. An earlier version that is still
 * running can then store no application.
 */
export function renameColumn(folder: string, column = "suspicion", name = "doubt"): void {
  for (const root of ["app", "cli", "components", "lib", "server"])
    for (const path of existsSync(join(folder, root)) ? sourcesIn(join(folder, root)) : []) {
      const source = readFileSync(path, "utf8");
      const renamed = source.replaceAll(RegExp(`\\b${column}\\b`, "g"), name);
      if (renamed !== source) writeFileSync(path, renamed);
    }
  const path = join(folder, "lib/storage/migrations.ts");
  const source = readFileSync(path, "utf8");
  const list = /^(export const migrations = \[)([^\]]*?),?\s*\]/m;
  const imports = 'import { type QueryExecutorProvider, sql } from "kysely";\n';
  const start = source.startsWith(imports) ? "" : imports;
  const steps = source.replace(list, `${stepFrom(column, name)}$1$2, rename_${name}]`);
  writeFileSync(path, `${start}${steps}`);
}

/** An earlier step names the column as it was. */
function sourcesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith("storage/migrations"))
    .map((name) => join(folder, name));
}
