/**
 * What deploy/update.sh asks a built version. The script runs this file of the version as the site's user:
 *   facts                          the site's address, the folder of its backups, its database file or `postgres:`, and
 *                                  the version of its tables, one a line
 *   try FOLDER SECONDS             starts the version on a copy of the database in FOLDER; exit code 1: it does not
 *                                  start, 2: its doctor finds a fault with the real settings
 *   wait ADDRESS SECONDS [STATUS]  waits until /api/health answers 200 or STATUS, at most SECONDS, and prints the last
 *                                  status (0: no answer); exit code 1: neither 200 nor STATUS
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { SECOND } from "#lib/application/durations.ts";
import { ConfigError, config } from "#lib/config.ts";
import { settingsSchema } from "#lib/environment.ts";
import { requestLocally } from "#lib/request-locally.ts";
import { localSiteUrl } from "#lib/site-address.ts";

const HEALTH_CHECK_PAUSE_MS = 250;

/** Imports the modules of the storage only once the settings are valid: these modules read the settings when loaded. */
async function printFacts(): Promise<0 | 1> {
  try {
    const settings = config();
    const { dataDir, databaseFile, databaseUrl } = settings;
    const inside = [dataDir, databaseFile].find((path) => path.startsWith(process.cwd()));
    if (inside !== undefined && databaseUrl === undefined)
      throw new ConfigError([`${inside} would stay behind at an update: set DATA_DIR.`]);
    const { backupsFolder } = await import("#lib/storage/backups.ts");
    const { migrations } = await import("#lib/storage/migrations.ts");
    const database = databaseUrl === undefined ? databaseFile : "postgres:";
    const facts = [localSiteUrl(settings), backupsFolder(settings), database, migrations.length];
    console.info(facts.join("\n"));
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    return 1;
  }
}

async function tryVersion(folder = "", seconds = "0"): Promise<0 | 1 | 2> {
  const port = await findFreePort();
  const database = join(folder, "applications.db");
  const trialSettings = {
    DATA_DIR: folder,
    DATABASE_URL: "",
    HOSTNAME: "127.0.0.1",
    PORT: `${port}`,
  };
  // This process holds the lease, and the trial has no settings. So the trial neither sends nor files what waits in
  // its database: the doctor would call filed applications a fault.
  const { tryLockLease } = await import("#lib/storage/open.ts");
  const { backUp } = await import("#lib/storage/backups.ts");
  const { databaseFile, databaseUrl } = config();
  // The script of an earlier version has made the copy itself.
  if (databaseUrl === undefined && existsSync(databaseFile) && !existsSync(database))
    backUp(databaseFile, database);
  using _lease = tryLockLease(database);
  const noSettings = Object.fromEntries(
    Object.keys(settingsSchema.shape).map((name) => [name, ""]),
  );
  const env = { ...process.env, NODE_ENV: "production" as const };
  const log = join(folder, "trial.log");
  const output = openSync(log, "w");
  const server = spawn(process.execPath, ["server/main.ts"], {
    env: { ...env, ...noSettings, ...trialSettings },
    stdio: ["ignore", output, output],
  });
  try {
    const hasEnded = () => server.exitCode !== null;
    if ((await waitForHealth(`http://127.0.0.1:${port}`, Number(seconds), [], hasEnded)) !== 200) {
      console.error(readFileSync(log, "utf8").slice(-2_000));
      return 1;
    }
    const doctor = ["cli/doctor.ts"];
    const { status } = spawnSync(process.execPath, doctor, {
      env: { ...env, ...trialSettings },
      stdio: "inherit",
    });
    return status === 0 ? 0 : 2;
  } finally {
    server.kill("SIGKILL");
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Returns the last status, or 0 without an answer. */
async function waitForHealth(
  address: string,
  seconds: number,
  accepted: readonly number[],
  isOver = () => false,
): Promise<number> {
  const end = Date.now() + seconds * SECOND;
  for (;;) {
    const answer = await requestLocally(`${address}/api/health`, 5 * SECOND).catch(() => undefined);
    const status = answer?.status ?? 0;
    if ([200, ...accepted].includes(status) || Date.now() >= end || isOver()) return status;
    await pause(HEALTH_CHECK_PAUSE_MS);
  }
}

const [question, target = "", seconds, ...accepted] = process.argv.slice(2);
if (question === "facts") process.exitCode = await printFacts();
else if (question === "try") process.exitCode = await tryVersion(target, seconds);
else {
  const statuses = accepted.map(Number);
  const status = await waitForHealth(target, Number(seconds), statuses);
  console.info(status);
  process.exitCode = [200, ...statuses].includes(status) ? 0 : 1;
}
