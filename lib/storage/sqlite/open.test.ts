import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openStore } from "#lib/storage/open.ts";
import { openSqlite } from "#lib/storage/sqlite/open.ts";
import { canTrace, systemCallsOf } from "#testing/system-calls.ts";
import { aNewApplication, TEST_NOW, temporaryStore } from "#testing/temporary-store.ts";

/** Takes the write lock, as another process would, and lets it go after a time. */
function lock(file: string, ms: number): void {
  const other = new DatabaseSync(file);
  other.exec("BEGIN EXCLUSIVE");
  setTimeout(() => other.close(), ms);
}

test("only the site's user reads the database and its journal", async () => {
  await using temporary = temporaryStore();
  await temporary.store.accept(aNewApplication());
  for (const file of [temporary.databaseFile, `${temporary.databaseFile}-wal`]) {
    expect(statSync(file).mode & 0o777).toBe(0o600);
  }
});

test("a connection syncs every commit, checks references and overwrites what is deleted, whatever the file was set to", async () => {
  await using temporary = temporaryStore();
  {
    using other = new DatabaseSync(temporary.databaseFile);
    other.exec("PRAGMA journal_mode = DELETE");
  }
  const database = await openSqlite(temporary.databaseFile);
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

test.runIf(canTrace)(
  "the disk has the application before the answer leaves (seen by strace)",
  async () => {
    await using temporary = temporaryStore();
    const script = `
    import { writeSync } from "node:fs";
    import { openStore } from "#lib/storage/open.ts";
    const store = openStore({ databaseFile: ${JSON.stringify(temporary.databaseFile)} });
    await store.counts(0);
    writeSync(1, "BEFORE");
    await store.accept(${JSON.stringify(aNewApplication())});
    writeSync(1, "ANSWER");
    process.exit(0);`;
    const calls = systemCallsOf(script, ["fsync", "fdatasync", "pwrite64", "write"]);
    const before = calls.findIndex((call) => call.includes('"BEFORE"'));
    const answer = calls.findIndex((call) => call.includes('"ANSWER"'));
    const between = calls
      .slice(before, answer)
      .filter((call) => call.includes("applications.db-wal"));
    expect(between.some((call) => call.includes("pwrite64("))).toBe(true);
    expect(between.at(-1)).toMatch(/(fsync|fdatasync)\(/);
  },
);

test("a process that is killed while it stores loses nothing that it acknowledged, and stores a resend once", async () => {
  await using temporary = temporaryStore();
  const { store, databaseFile } = temporary;
  const script = `
    import { writeSync } from "node:fs";
    import { setTimeout as pause } from "node:timers/promises";
    import { openStore } from "#lib/storage/open.ts";
    const store = openStore({ databaseFile: ${JSON.stringify(databaseFile)} });
    const newApplication = ${JSON.stringify(aNewApplication())};
    for (let index = 0; ; index++) {
      const idempotencyKey = process.pid + "-" + index;
      writeSync(1, "sent " + idempotencyKey + "\\n");
      const { applicationId } = await store.accept({ ...newApplication, idempotencyKey });
      writeSync(1, "acknowledged " + idempotencyKey + " " + applicationId + "\\n");
      // A test that is slow to read must not be left with thousands.
      await pause(1);
    }`;
  for (const acknowledgements of [1, 7, 30]) {
    const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
    let said = "";
    for await (const chunk of child.stdout) {
      said += chunk;
      if (said.split("acknowledged").length > acknowledgements) child.kill("SIGKILL");
    }
    const sent = [...said.matchAll(/^sent (\S+)$/gm)].map(([, key]) => key);
    const acknowledged = new Map(
      [...said.matchAll(/^acknowledged (\S+) (\S+)$/gm)].map(([, key, id]) => [key, id]),
    );
    expect(acknowledged.size).toBeGreaterThanOrEqual(acknowledgements);
    const before = (await store.counts(TEST_NOW)).waiting;
    for (const idempotencyKey of sent) {
      const resent = await store.accept(aNewApplication({ idempotencyKey }));
      const known = acknowledged.get(idempotencyKey);
      if (known) expect(resent).toMatchObject({ outcome: "replayed", applicationId: known });
    }
    // At most the one that was under way had not been stored.
    expect((await store.counts(TEST_NOW)).waiting - before).toBeLessThanOrEqual(1);
  }
}, 60_000);

test("a lock of over 2 s makes the store unavailable, without stopping the event loop, and passes", async () => {
  await using temporary = temporaryStore();
  const { store, databaseFile } = temporary;
  await store.counts(TEST_NOW);
  lock(databaseFile, 3_000);
  const began = performance.now();
  let [last, longestGap] = [began, 0];
  const ticking = setInterval(() => {
    longestGap = Math.max(longestGap, performance.now() - last);
    last = performance.now();
  }, 10);
  const refused = store.accept(aNewApplication());
  await expect(refused).rejects.toMatchObject({ name: "StorageUnavailable", reason: "locked" });
  clearInterval(ticking);
  expect(performance.now() - began).toBeGreaterThan(1_500);
  expect(longestGap).toBeLessThan(500);
  expect(await store.accept(aNewApplication())).toMatchObject({ outcome: "stored" });
});

test.for(["a running site", "a start"])("%s goes on after a lock that is short", async (when) => {
  await using temporary = temporaryStore();
  const { databaseFile } = temporary;
  await temporary.store.counts(TEST_NOW);
  const store = when === "a start" ? openStore({ databaseFile }) : temporary.store;
  lock(databaseFile, 500);
  expect(await store.accept(aNewApplication())).toMatchObject({ outcome: "stored" });
  await store.close();
});

test("transactions have the write lock from their first moment, do not mix, and change nothing where they throw", async () => {
  await using temporary = temporaryStore();
  const database = await openSqlite(temporary.databaseFile);
  using other = new DatabaseSync(temporary.databaseFile);
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
