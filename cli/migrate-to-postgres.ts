/**
 * Moves a stopped site from SQLite to PostgreSQL: with DATABASE_URL=postgres://… in .env,
 * `npm run migrate-to-postgres` copies DATA_DIR/applications.db, `-- FILE` another one. All or nothing: it
 * commits only when every table has the same rows with the same contents on both sides.
 */
import { resolve } from "node:path";
import { CommandFault } from "#cli/command-fault.ts";
import { say } from "#cli/say.ts";
import { ConfigError, config } from "#lib/config.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";

try {
  const { databaseFile, databaseUrl } = config();
  const [file] = process.argv.slice(2);
  if (databaseUrl === undefined) {
    throw new CommandFault(
      "Set DATABASE_URL to the PostgreSQL that the applications are to move to.",
    );
  }
  // It loads the log, which needs a configuration without faults.
  const { move } = await import("#cli/move-to-postgres.ts");
  await move(file ? resolve(file) : databaseFile, databaseUrl);
} catch (error) {
  const foreseen = [CommandFault, ConfigError, StorageUnavailable].some(
    (kind) => error instanceof kind,
  );
  if (!(foreseen && error instanceof Error)) throw error;
  say(error.message);
  say("Nothing was moved.");
  process.exitCode = 1;
}
