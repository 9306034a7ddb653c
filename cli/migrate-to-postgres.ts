/**
 * Moves a stopped site from SQLite to PostgreSQL: with DATABASE_URL=postgres://… in .env,
 * `npm run migrate-to-postgres` copies DATA_DIR/applications.db, `-- FILE` another one. All or nothing: it
 * commits only when each table that it moves has the same rows with the same contents on both sides.
 */
import { resolve } from "node:path";
import { CommandFault } from "#cli/command-fault.ts";
import { say } from "#cli/say.ts";
import { ConfigError, config } from "#lib/config.ts";
import { MoveRefused, StorageUnavailable } from "#lib/storage/errors.ts";

try {
  const { databaseFile, databaseUrl } = config();
  const [named] = process.argv.slice(2);
  const file = named ? resolve(named) : databaseFile;
  if (databaseUrl === undefined) {
    throw new CommandFault(
      "Set DATABASE_URL to the PostgreSQL that the applications are to move to.",
    );
  }
  // It loads the log, which needs a configuration without faults.
  const { moveToPostgres } = await import("#lib/storage/move-to-postgres.ts");
  for (const { table, rows } of await moveToPostgres(file, databaseUrl)) {
    say(`${table.padEnd(18)}${rows} rows`);
  }
  say(
    "The contents of these tables are the same on both sides. Start the site; it runs on PostgreSQL now.",
  );
  say(`The old file holds the same personal data: delete ${file} once you have looked around.`);
} catch (error) {
  const foreseen = [CommandFault, ConfigError, MoveRefused, StorageUnavailable].some(
    (kind) => error instanceof kind,
  );
  if (!(foreseen && error instanceof Error)) throw error;
  say(error.message);
  say("Nothing was moved.");
  process.exitCode = 1;
}
