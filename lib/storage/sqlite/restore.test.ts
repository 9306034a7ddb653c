import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { backUp } from "#lib/storage/backups.ts";
import { openStore } from "#lib/storage/open.ts";
import { restore } from "#lib/storage/sqlite/restore.ts";
import { aNewApplication, TEST_NOW, temporaryStore } from "#testing/temporary-store.ts";

/** A stopped site with three applications, and its backup from when it had two. */
async function withBackup() {
  const temporary = temporaryStore();
  const { store, folder, databaseFile } = temporary;
  for (const key of ["a", "b"]) await store.accept(aNewApplication({ idempotencyKey: key }));
  const backup = join(folder, "backup.db");
  expect(backUp(databaseFile, backup)).toBe(2);
  await store.accept(aNewApplication({ idempotencyKey: "c" }));
  await store.close();
  return { temporary, databaseFile, backup, aside: join(folder, "aside", "before.db") };
}

async function waitingIn(databaseFile: string): Promise<number> {
  const store = openStore({ databaseFile });
  const { waiting } = await store.counts(TEST_NOW);
  await store.close();
  return waiting;
}

test("a backup is put in place, the site goes on with it, and what was there lies aside", async () => {
  const { temporary, databaseFile, backup, aside } = await withBackup();
  await using _ = temporary;
  expect(await restore(backup, databaseFile, aside)).toBe(2);
  expect(await waitingIn(databaseFile)).toBe(2);
  expect(await waitingIn(aside)).toBe(3);
  expect(await waitingIn(backup)).toBe(2);
});

test.each([
  ["lost", (file: string) => rmSync(file)],
  ["emptied", (file: string) => writeFileSync(file, "")],
  ["damaged", (file: string) => writeFileSync(file, "no database ".repeat(1_000))],
])("a database that was %s, with a journal left over, is replaced", async (_what, ruin) => {
  const { temporary, databaseFile, backup, aside } = await withBackup();
  await using _ = temporary;
  ruin(databaseFile);
  writeFileSync(`${databaseFile}-wal`, "left over ".repeat(1_000));
  expect(await restore(backup, databaseFile, aside)).toBe(2);
  expect(await waitingIn(databaseFile)).toBe(2);
});

test("on an empty host the folder is made, and a lost database is told from then on", async () => {
  const { temporary, backup, aside } = await withBackup();
  await using _ = temporary;
  const databaseFile = join(temporary.folder, "new", "applications.db");
  expect(await restore(backup, databaseFile, aside)).toBe(2);
  expect(existsSync(`${databaseFile}.created`)).toBe(true);
  expect(await waitingIn(databaseFile)).toBe(2);
});

test("while the site runs nothing is changed", async () => {
  const { temporary, databaseFile, backup, aside } = await withBackup();
  await using _ = temporary;
  const site = openStore({ databaseFile });
  await site.counts(TEST_NOW);
  await expect(restore(backup, databaseFile, aside)).rejects.toMatchObject({ reason: "locked" });
  expect(await site.accept(aNewApplication({ idempotencyKey: "d" }))).toMatchObject({
    outcome: "stored",
  });
  await site.close();
  expect(await waitingIn(databaseFile)).toBe(4);
});

test.each([
  ["damaged", "corrupt", (file: string) => writeFileSync(file, "no database ".repeat(1_000))],
  [
    "another program's",
    "foreign",
    (file: string) => {
      rmSync(file);
      using other = new DatabaseSync(file);
      other.exec("CREATE TABLE customers (id integer)");
    },
  ],
  [
    "a newer program's",
    "newer-schema",
    (file: string) => {
      using newer = new DatabaseSync(file);
      newer.exec("UPDATE schema_version SET version = 99");
    },
  ],
  ["missing", "failing", (file: string) => rmSync(file)],
])("a backup that is %s is refused, and nothing is changed", async (_what, reason, ruin) => {
  const { temporary, databaseFile, backup, aside } = await withBackup();
  await using _ = temporary;
  ruin(backup);
  const before = readFileSync(databaseFile);
  await expect(restore(backup, databaseFile, aside)).rejects.toMatchObject({ reason });
  expect(readFileSync(databaseFile).equals(before)).toBe(true);
  expect(readdirSync(temporary.folder)).not.toContain("applications.db.restoring");
});
