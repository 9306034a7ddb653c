import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { examineDatabase } from "#cli/doctor/database.ts";
import { DAY, HOUR } from "#lib/application/durations.ts";
import { parseConfig } from "#lib/config.ts";
import { openStore } from "#lib/storage/open.ts";
import {
  aNewApplication,
  type TemporaryStore,
  withStore as test,
} from "#testing/storage/temporary-store.ts";

const configOf = ({ folder }: TemporaryStore) => parseConfig({ DATA_DIR: folder });
async function look(home: TemporaryStore): Promise<string[]> {
  const { findings, notes } = await examineDatabase(configOf(home));
  return [...findings, ...notes].map(({ level, sentence }) => `${level}: ${sentence}`);
}
const WELL = "ok: 데이터베이스가 온전하고 신청을 저장할 수 있습니다.";

test("the examination creates nothing before the first start", async ({ temporary: home }) => {
  const later = join(home.folder, "later");
  expect((await examineDatabase(parseConfig({ DATA_DIR: later }))).findings[0]).toMatchObject({
    level: "ok",
    sentence: "데이터베이스는 아직 없고, 처음 시작할 때 만들어집니다.",
  });
  expect(existsSync(later)).toBe(false);
});

test("the examination finds no fault, also while the site runs", async ({ temporary: home }) => {
  await home.store.accept(aNewApplication({ now: Date.now() }));
  expect(await look(home)).toEqual([WELL]);
});

test("the examination reports that another program holds the lock", async ({ temporary: home }) => {
  await home.store.accept(aNewApplication());
  const other = new DatabaseSync(home.databaseFile);
  other.exec("BEGIN IMMEDIATE");
  expect((await look(home)).join()).toMatch(
    /^fault: 데이터베이스를 잠글 수 없습니다\. .+닫아 주세요\..+database is locked\)$/,
  );
  other.close();
});

test("the examination reports the clock and the last backup", async ({ temporary: home }) => {
  const now = Date.now();
  await home.store.accept(aNewApplication({ now: now + HOUR }));
  await home.store.writeNote("clock-jump", { at: now, value: `${-2 * DAY}` });
  await home.store.writeNote("backup", { at: now - DAY, value: "a.db" });
  expect(await look(home)).toEqual([
    WELL,
    expect.stringMatching(/^fault: 서버 시계가 마지막 신청보다 60분 뒤처져 있습니다\. /),
    expect.stringMatching(/^warn: 서버 시계가 .+에 48시간 바뀌었습니다\. /),
    expect.stringMatching(/^ok: 온전한 마지막 백업은 .+에 끝났습니다\.$/),
  ]);
  await home.store.writeNote("backup", { at: now - 4 * DAY, value: "a.db" });
  expect((await look(home)).at(-1)).toMatch(/^warn: 온전한 마지막 백업은 .+ 매일 밤의 백업이/);
  // The store of another process.
  const site = openStore(configOf(home));
  await site.writeNote("proxy", { at: now, value: "{}" });
  await site.close();
  expect((await examineDatabase(configOf(home))).proxyNote).toEqual({ at: now, value: "{}" });
});
