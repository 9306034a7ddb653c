import { spawn, spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { expect } from "vitest";
import { openStore } from "#lib/storage/open.ts";
import { openSqlite } from "#lib/storage/sqlite/open.ts";
import { machineHas } from "#testing/machine-needs.ts";
import { traceSystemCalls } from "#testing/site/system-calls.ts";
import { buildStoreProgram } from "#testing/storage/store-program.ts";
import { aNewApplication, testWithStore as test } from "#testing/storage/temporary-store.ts";
import { openTestStore } from "#testing/storage/used-database.ts";

/** Takes the write lock, like another process. Closing the returned connection releases the lock. */
function holdWriteLock(file: string): DatabaseSync {
  const other = new DatabaseSync(file);
  other.exec("BEGIN EXCLUSIVE");
  return other;
}

test("only the site's user can read database, journal and folder", async ({ temporary }) => {
  const folder = join(temporary.folder, "new");
  const file = join(folder, "applications.db");
  await openTestStore(file).accept(aNewApplication());
  const modes = [file, `${file}-wal`, folder].map((each) => statSync(each).mode & 0o777);
  expect(modes).toEqual([0o600, 0o600, 0o700]);
});

test("an opened database has safe settings, such as a sync of every commit [2]", async ({
  databaseFile,
}) => {
  {
    using other = new DatabaseSync(databaseFile);
    other.exec("PRAGMA journal_mode = DELETE");
  }
  const database = await openSqlite(databaseFile, { tables: "create" });
  for (const [name, value] of [
    ["synchronous", 2],
    ["journal_mode", "wal"],
    ["foreign_keys", 1],
    ["secure_delete", 1],
    ["busy_timeout", 20],
  ] as const) {
    const pragma = sql<Record<string, unknown>>`PRAGMA ${sql.raw(name)}`;
    const { rows } = await database.read((kysely) => pragma.execute(kysely));
    expect([name, ...Object.values(rows[0] ?? {})]).toEqual([name, value]);
  }
  await database.close();
});

test.runIf(machineHas("strace"))(
  "an application is synced before its answer [2]",
  async ({ databaseFile }) => {
    const program = buildStoreProgram(
      databaseFile,
      `await store.countApplications();
  say("BEFORE");
  await accept("one");
  say("ANSWER");
  process.exit(0);`,
    );
    const calls = traceSystemCalls(program, ["fsync", "fdatasync", "pwrite64", "write"]);
    const [before, answer] = ['"BEFORE', '"ANSWER'].map((said) =>
      calls.findIndex((call) => call.includes(said)),
    );
    const between = calls
      .slice(before, answer)
      .filter((call) => call.includes("applications.db-wal"));
    expect(between.some((call) => call.includes("pwrite64("))).toBe(true);
    expect(between.at(-1)).toMatch(/(fsync|fdatasync)\(/);
  },
);

test("a killed process loses no acknowledged application [1]", async ({ store, databaseFile }) => {
  // The child pauses between applications, so that only few have to be checked if its output is read slowly.
  const program = buildStoreProgram(
    databaseFile,
    `for (let index = 0; ; index++) {
      const key = process.pid + "-" + index;
      say("sent " + key);
      say((await accept(key)) + " " + key);
      await pause(1);
    }`,
  );
  for (const acknowledgements of [1, 7, 30]) {
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program]);
    let said = "";
    for await (const chunk of child.stdout) {
      said += chunk;
      if (said.split("stored").length > acknowledgements) child.kill("SIGKILL");
    }
    const keysOf = (word: string) =>
      Array.from(said.matchAll(new RegExp(`^${word} (\\S+)$`, "gm")), ([, key = ""]) => key);
    const acknowledged = keysOf("stored");
    expect(acknowledged.length).toBeGreaterThanOrEqual(acknowledgements);
    const { waiting } = await store.countApplications();
    for (const idempotencyKey of keysOf("sent")) {
      const { outcome } = await store.accept(aNewApplication({ idempotencyKey }));
      if (acknowledged.includes(idempotencyKey)) expect(outcome).toBe("replayed");
    }
    // A kill can lose only the application that was being stored.
    expect((await store.countApplications()).waiting - waiting).toBeLessThanOrEqual(1);
  }
});

const UNSHARE_OPTIONS = ["--mount", "--map-root-user"] as const;

test.runIf(machineHas("mounts"))(
  "a read-only disk is reported at the very first start [6]",
  ({ temporary }) => {
    const program = buildStoreProgram(
      join(temporary.folder, "site/data/applications.db"),
      'say(await accept("first")); process.exit();',
    );
    const script = 'mount -t tmpfs -o ro tmpfs "$0" && exec "$1" --input-type=module --eval "$2"';
    const shell = ["sh", "-c", script, temporary.folder, process.execPath, program];
    const { stdout } = spawnSync("unshare", [...UNSHARE_OPTIONS, ...shell], { encoding: "utf8" });
    expect(stdout).toBe("read-only\n");
  },
);

test("a locked database does not block the event loop [6]", async ({ store, databaseFile }) => {
  await store.countApplications();
  const other = holdWriteLock(databaseFile);
  const began = performance.now();
  let ticks = 0;
  const ticking = setInterval(() => ticks++, 10);
  const refused = store.accept(aNewApplication());
  await expect(refused).rejects.toMatchObject({ name: "StorageUnavailable", reason: "locked" });
  clearInterval(ticking);
  const waited = performance.now() - began;
  expect(waited).toBeGreaterThan(1_500);
  expect(ticks).toBeGreaterThan(30);
  // A busy machine lengthens the wait, but not tenfold.
  expect(waited).toBeLessThan(20_000);
  other.close();
  expect(await store.accept(aNewApplication())).toMatchObject({ outcome: "stored" });
});

test.for(["a running site", "a starting site"])(
  "%s stores an application after a short lock of the database",
  async (when, { store: running, databaseFile }) => {
    await running.countApplications();
    const store = when === "a starting site" ? openStore({ databaseFile }, "migrate") : running;
    const other = holdWriteLock(databaseFile);
    setTimeout(() => other.close(), 500);
    expect(await store.accept(aNewApplication())).toMatchObject({ outcome: "stored" });
    await store.close();
  },
);

test("the journal is purged once another process has ended its write", async ({
  store,
  databaseFile,
}) => {
  await store.accept(aNewApplication());
  const database = await openSqlite(databaseFile);
  const other = holdWriteLock(databaseFile);
  setTimeout(() => other.close(), 500);
  expect(await database.eraseDeletedRows()).toBe(true);
  await database.close();
});

test("transactions run one after the other", async ({ databaseFile }) => {
  const database = await openSqlite(databaseFile, { tables: "migrate" });
  using other = new DatabaseSync(databaseFile);
  const order: string[] = [];
  const work = (name: string) =>
    database.write(async (transaction) => {
      order.push(`${name} begins`);
      expect(() => other.exec("BEGIN IMMEDIATE")).toThrow("locked");
      await transaction.insertInto("notes").values({ name, at: 1, value: "" }).execute();
      await new Promise((resolve) => setTimeout(resolve, 20));
      order.push(`${name} ends`);
      if (name === "two") throw new Error("stop");
    });
  await Promise.allSettled([work("one"), work("two")]);
  expect(order).toEqual(["one begins", "one ends", "two begins", "two ends"]);
  const notes = await database.read((kysely) =>
    kysely.selectFrom("notes").select("name").execute(),
  );
  expect(notes).toEqual([{ name: "one" }]);
  await database.close();
});
