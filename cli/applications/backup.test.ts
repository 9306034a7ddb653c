import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { backupCommand, restoreCommand } from "#cli/applications/backup.ts";
import type { Command } from "#cli/applications/command.ts";
import { parseConfig } from "#lib/config.ts";
import { machineHas } from "#testing/machine-needs.ts";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";
import {
  aNewApplication,
  openTemporaryStore,
  type TemporaryStore,
} from "#testing/storage/temporary-store.ts";

const print = vi.fn<(line: string) => void>();
beforeEach(() => void vi.spyOn(console, "info").mockImplementation(print));

async function output(command: Command, words: string[], { folder }: TemporaryStore) {
  print.mockClear();
  await command.run(words, parseConfig({ DATA_DIR: folder }), {});
  return print.mock.calls.join("\n");
}

test("restore replaces the database of a stopped site with a backup", async () => {
  await using temporary = openTemporaryStore();
  await temporary.store.accept(aNewApplication());
  await output(backupCommand, [], temporary);
  const backups = join(temporary.folder, "backups");
  const [name = ""] = readdirSync(backups);
  const file = join(backups, name);
  expect(await temporary.store.readNote("backup")).toMatchObject({ value: name });
  await expect(output(restoreCommand, [file], temporary)).rejects.toThrow("사이트가 켜져 있어");
  await temporary.store.close();
  const other = join(temporary.folder, "other.db");
  writeFileSync(other, "this is no database".repeat(100));
  await expect(output(restoreCommand, [other], temporary)).rejects.toThrow("손상");
  for (const none of [`${other}x`, backups])
    await expect(output(restoreCommand, [none], temporary)).rejects.toThrow("파일이 없습니다");
  const copy = `${temporary.databaseFile}.restoring`;
  mkdirSync(copy);
  await expect(output(restoreCommand, [file], temporary)).rejects.toThrow("EISDIR");
  rmSync(copy, { recursive: true });
  for (const [uid, isChownAdvised] of [
    [0, true],
    [1_000, false],
  ] as const) {
    vi.spyOn(process, "getuid").mockReturnValue(uid);
    const restored = await output(restoreCommand, [file], temporary);
    expect(restored).toMatch(/^신청 1건이 들어 있는 백업을 되돌렸습니다/);
    expect(restored).toMatch(/전에 있던 데이터베이스는 .+before-restore.+ 에 두었습니다/);
    expect(restored.includes("chown -R")).toBe(isChownAdvised);
  }
  expect(readdirSync(backups)).toContainEqual(expect.stringMatching(/^before-restore.*\.db$/));
  await using empty = openTemporaryStore();
  expect(await output(restoreCommand, [file], empty)).not.toContain("전에 있던 데이터베이스");
});

test.runIf(machineHas("memory"))(
  "restore refuses if the folder of backups is on another disk",
  async () => {
    await using temporary = openTemporaryStore();
    await temporary.store.accept(aNewApplication());
    symlinkSync(makeTemporaryFolder(), join(temporary.folder, "backups"));
    const copy = join(temporary.folder, "copy.db");
    await output(backupCommand, [copy], temporary);
    await temporary.store.close();
    await expect(output(restoreCommand, [copy], temporary)).rejects.toThrow("다른 디스크에 있어");
  },
);

test("backup and restore refer to PostgreSQL's own tools", async () => {
  const postgres = parseConfig({ DATABASE_URL: "postgres://site@127.0.0.1:1/site" });
  for (const command of [backupCommand, restoreCommand])
    await expect(command.run(["a.db"], postgres, {})).rejects.toThrow(/pg_dump.*\n.*pg_restore/);
});

test("each backup leaves a note of its success or failure", async () => {
  await using temporary = openTemporaryStore();
  const { store, folder } = temporary;
  await store.countApplications();
  const notes = async () => [
    await store.readNote("backup"),
    await store.readNote("backup-failure"),
  ];
  const warning = "개인정보가 들어 있습니다";
  expect(await output(backupCommand, ["copy.db"], temporary)).toContain(warning);
  expect(await notes()).toEqual([expect.objectContaining({ value: "copy.db" }), undefined]);
  expect(existsSync(join(folder, "copy.db"))).toBe(true);
  await expect(output(backupCommand, ["copy.db"], temporary)).rejects.toThrow("이미 있어");
  expect(await notes()).toEqual([expect.anything(), undefined]);
  expect(await output(backupCommand, [], temporary)).not.toContain(warning);
  await expect(output(backupCommand, ["none/a.db"], temporary)).rejects.toThrow();
  expect(await notes()).toEqual([expect.anything(), expect.anything()]);
});
