import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { examineDatabase } from "#cli/doctor/database.ts";
import { parseConfig } from "#lib/config.ts";
import { openStore } from "#lib/storage/open.ts";
import { aNewApplication, type TemporaryStore, temporaryStore } from "#testing/temporary-store.ts";

const DAY = 24 * 60 * 60_000;

const configOf = ({ folder }: TemporaryStore) => parseConfig({ DATA_DIR: folder });
const look = async (home: TemporaryStore) => {
  const { level, sentence } = (await examineDatabase(configOf(home))).finding;
  return `${level}: ${sentence}`;
};
const notes = async (home: TemporaryStore) => {
  const { notes: found = [] } = await examineDatabase(configOf(home));
  return found.map(({ level, sentence }) => `${level}: ${sentence}`);
};

test("before the first start nothing is made", async () => {
  await using home = temporaryStore();
  const later = join(home.folder, "later");
  expect((await examineDatabase(parseConfig({ DATA_DIR: later }))).finding).toMatchObject({
    level: "ok",
    sentence: "데이터베이스는 아직 없고, 처음 시작할 때 만들어집니다.",
  });
  expect(existsSync(later)).toBe(false);
});

test("all is well, also while the site runs", async () => {
  await using home = temporaryStore();
  await home.store.accept(aNewApplication({ now: Date.now() }));
  expect(await look(home)).toBe("ok: 데이터베이스가 온전하고 신청을 저장할 수 있습니다.");
  expect(await notes(home)).toEqual([]);
});

test("it says why nothing can be stored", async () => {
  await using home = temporaryStore();
  await home.store.accept(aNewApplication());
  const other = new DatabaseSync(home.databaseFile);
  other.exec("BEGIN IMMEDIATE");
  expect(await look(home)).toMatch(
    /^fault: 다른 프로그램이 데이터베이스를 잠그고 있습니다\. .+닫아 주세요\.$/,
  );
  other.exec("ROLLBACK; UPDATE schema_version SET version = 999");
  other.close();
  expect(await look(home)).toMatch(/^fault: 더 새로운 버전의 프로그램이 .+ 복원해 주세요\.$/);
  await home.store.close();
  rmSync(home.databaseFile);
  mkdirSync(home.databaseFile);
  writeFileSync(join(home.databaseFile, "x"), "");
  expect(await look(home)).toMatch(/^fault: 데이터베이스를 열 수 없습니다\. .+확인해 주세요\.$/);
});

test("it tells of the clock, of the last summary and of the last backup", async () => {
  await using home = temporaryStore();
  const now = Date.now();
  await home.store.accept(aNewApplication({ now: now + DAY / 24 }));
  await home.store.writeNote("clock-jump", { at: now, value: `${-48 * 60 * 60_000}` });
  await home.store.writeNote("backup", { at: now - DAY, value: "a.db" });
  using database = new DatabaseSync(home.databaseFile);
  database.exec(`INSERT INTO jobs (subject, first, state, raised_at, next_at, retry_at, settled_at)
    VALUES ('weekly:2026-11-23', 'mail', 'done', 0, 0, 0, ${now - DAY})`);
  expect(await notes(home)).toEqual([
    expect.stringMatching(/^fault: 서버 시계가 마지막 신청보다 60분 뒤처져 있습니다\. /),
    expect.stringMatching(/^warn: 서버 시계가 .+에 48시간 바뀌었습니다\. /),
    expect.stringMatching(/^ok: 마지막 주간 소식을 .+에 보냈습니다\.$/),
    expect.stringMatching(/^ok: 온전한 마지막 백업은 .+에 끝났습니다\.$/),
  ]);
  await home.store.writeNote("backup", { at: now - 4 * DAY, value: "a.db" });
  expect((await notes(home)).at(-1)).toMatch(/^warn: 온전한 마지막 백업은 .+ 매일 밤의 백업이/);
  // The store of another process.
  const site = openStore(configOf(home));
  await site.writeNote("forwarded-for", { at: now, value: "" });
  await site.close();
  expect((await examineDatabase(configOf(home))).forwardedAt).toBe(now);
});
