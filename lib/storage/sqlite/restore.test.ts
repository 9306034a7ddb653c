import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { backUp, findBackupFailure } from "#lib/storage/backups.ts";
import { openStore } from "#lib/storage/open.ts";
import { restoreSqlite } from "#lib/storage/sqlite/restore.ts";
import { machineHas } from "#testing/machine-needs.ts";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";
import { aNewApplication, openTemporaryStore } from "#testing/storage/temporary-store.ts";
import { openTestStore } from "#testing/storage/used-database.ts";

/** A stopped site with three applications, and a backup with two of them. */
async function withBackup() {
  const { store, folder, databaseFile, ...temporary } = openTemporaryStore();
  for (const key of ["a", "b"]) await store.accept(aNewApplication({ idempotencyKey: key }));
  for (const name of ["backup", "backup-failure"] as const)
    await store.writeNote(name, { at: 1, value: "" });
  const backup = join(folder, "backup.db");
  expect(backUp(databaseFile, backup)).toBe(2);
  await store.accept(aNewApplication({ idempotencyKey: "c" }));
  await store.close();
  return { ...temporary, folder, databaseFile, backup, aside: join(folder, "aside", "before.db") };
}

async function countWaiting(databaseFile: string): Promise<number> {
  const store = openStore({ databaseFile });
  const { waiting } = await store.countApplications();
  await store.close();
  return waiting;
}

type Ruin = (file: string) => void;
const remove: Ruin = (file) => rmSync(file);
const damage: Ruin = (file) => writeFileSync(file, "no database ".repeat(1_000));
const change =
  (statement: string): Ruin =>
  (file) => {
    using database = new DatabaseSync(file);
    database.exec(statement);
  };

test.for<[what: string, ruin: Ruin, aside: number | undefined]>([
  ["sound", () => undefined, 3],
  ["lost", remove, undefined],
  ["emptied", (file) => writeFileSync(file, ""), undefined],
  ["damaged", damage, undefined],
])("a backup replaces a database that is %s [43]", async ([, ruin, inAside]) => {
  await using site = await withBackup();
  const { databaseFile, backup, aside } = site;
  ruin(databaseFile);
  if (inAside === undefined) writeFileSync(`${databaseFile}-wal`, "left over ".repeat(1_000));
  expect(await restoreSqlite(backup, databaseFile, aside)).toBe(2);
  expect(existsSync(`${databaseFile}-wal`)).toBe(false);
  expect([await countWaiting(databaseFile), await countWaiting(backup)]).toEqual([2, 2]);
  if (inAside !== undefined) expect(await countWaiting(aside)).toBe(inAside);
});

/** Two disks: the database is in /dev/shm, and `aside` in the folder for temporary files. */
test.runIf(machineHas("memory"))(
  "a restore refuses to move the previous database to another disk",
  async () => {
    await using site = await withBackup();
    const aside = join(makeTemporaryFolder(), "before.db");
    const restored = restoreSqlite(site.backup, site.databaseFile, aside);
    await expect(restored).rejects.toMatchObject({ cause: { code: "EXDEV" } });
    expect([await countWaiting(site.databaseFile), existsSync(aside)]).toEqual([3, false]);
  },
);

test("a restore that cannot move the database leaves its journal in place", async () => {
  await using site = await withBackup();
  const { databaseFile, backup, aside } = site;
  writeFileSync(databaseFile, "");
  writeFileSync(`${databaseFile}-wal`, "the latest commits");
  // No file can replace a folder that is not empty.
  mkdirSync(join(aside, "taken"), { recursive: true });
  await expect(restoreSqlite(backup, databaseFile, aside)).rejects.toThrow();
  expect(readFileSync(`${databaseFile}-wal`, "utf8")).toBe("the latest commits");
});

test("restoring on an empty host creates the folder and the marker of the database", async () => {
  await using site = await withBackup();
  const databaseFile = join(site.folder, "new", "applications.db");
  expect(await restoreSqlite(site.backup, databaseFile, site.aside)).toBe(2);
  expect(existsSync(site.aside)).toBe(false);
  expect(statSync(databaseFile).mode & 0o777).toBe(0o600);
  expect(existsSync(`${databaseFile}.created`)).toBe(true);
  expect(await countWaiting(databaseFile)).toBe(2);
});

test("a restored backup has no notes of earlier backups, which would raise an alarm", async () => {
  await using site = await withBackup();
  await restoreSqlite(site.backup, site.databaseFile, site.aside);
  const store = openTestStore(site.databaseFile);
  expect(await findBackupFailure(store, Date.now())).toBeUndefined();
});

test.for<[what: string, reason: string, ruin: Ruin]>([
  ["damaged", "corrupt", damage],
  ["another program's", "foreign", change("PRAGMA application_id = 1")],
  ["a newer program's", "newer-schema", change("UPDATE schema_version SET version = 99")],
  ["missing", "failing", remove],
  ["for a running site", "locked", () => undefined],
])("a backup that is %s is refused without any change", async ([, reason, ruin]) => {
  await using site = await withBackup();
  const { databaseFile, backup, aside } = site;
  ruin(backup);
  if (reason === "locked") await openTestStore(databaseFile).countApplications();
  const before = readFileSync(databaseFile);
  await expect(restoreSqlite(backup, databaseFile, aside)).rejects.toMatchObject({ reason });
  expect(readFileSync(databaseFile).equals(before)).toBe(true);
  expect(readdirSync(site.folder)).not.toContain("applications.db.restoring");
});
