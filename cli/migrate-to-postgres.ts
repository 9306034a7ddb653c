/** Copies a stopped site's database file, or the file of the first argument, to the PostgreSQL of DATABASE_URL. */
import { resolve } from "node:path";
import { ConfigError, config } from "#lib/config.ts";
import { MoveToPostgresRefused, StorageUnavailable } from "#lib/storage/errors.ts";

try {
  const { databaseFile, databaseUrl } = config();
  const [named] = process.argv.slice(2);
  const file = named ? resolve(named) : databaseFile;
  if (databaseUrl === undefined) {
    throw new MoveToPostgresRefused(
      "Set DATABASE_URL to the PostgreSQL that the applications are to move to.",
    );
  }
  // A static import would read the configuration, and throw its faults, outside this `try`.
  const { moveToPostgres } = await import("#lib/storage/move-to-postgres.ts");
  for (const { table, rows } of await moveToPostgres(file, databaseUrl)) {
    console.info(`${table.padEnd(18)}${rows} rows`);
  }
  console.info(`The contents of these tables are the same on both sides. Start the site; it runs on PostgreSQL now.
The old file holds the same personal data: delete ${file} once you have looked around.`);
} catch (error) {
  const isRefusal = error instanceof ConfigError || error instanceof MoveToPostgresRefused;
  if (!isRefusal && !(error instanceof StorageUnavailable)) throw error;
  console.info(`${error.message}\nNothing was moved.`);
  process.exitCode = 1;
}
