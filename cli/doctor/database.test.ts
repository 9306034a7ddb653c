import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { examineDatabase } from "#cli/doctor/database.ts";
import { DAY, HOUR, MINUTE } from "#lib/application/durations.ts";
import { parseConfig } from "#lib/config.ts";
import { migrations } from "#lib/storage/migrations.ts";
import { openStore } from "#lib/storage/open.ts";
import { runOwnerCommand } from "#testing/site/command-line.ts";
import {
  aNewApplication,
  type TemporaryStore,
  testWithStore as test,
} from "#testing/storage/temporary-store.ts";

const configOf = ({ folder }: TemporaryStore) => parseConfig({ DATA_DIR: folder });
async function examinedFindings(temporary: TemporaryStore): Promise<string[]> {
  const { findings } = await examineDatabase(configOf(temporary));
  return findings.map(({ level, sentence }) => `${level}: ${sentence}`);
}
const WELL = "ok: 데이터베이스가 온전하고 신청을 저장할 수 있습니다.";

test("the doctor creates nothing before the first start", async ({ temporary }) => {
  const later = join(temporary.folder, "later");
  expect((await examineDatabase(parseConfig({ DATA_DIR: later }))).findings[0]).toMatchObject({
    level: "ok",
    sentence: "데이터베이스는 아직 없고, 처음 시작할 때 만들어집니다.",
  });
  expect(existsSync(later)).toBe(false);
});

test("the doctor reports a database that is locked or lost", async ({ temporary }) => {
  await temporary.store.accept(aNewApplication());
  const other = new DatabaseSync(temporary.databaseFile);
  other.exec("BEGIN IMMEDIATE");
  expect((await examinedFindings(temporary)).join()).toMatch(
    /^fault: 데이터베이스를 잠글 수 없습니다\. .+닫아 주세요\..+database is locked\)$/,
  );
  other.close();
  rmSync(temporary.databaseFile);
  expect((await examinedFindings(temporary)).join()).toMatch(/^fault: .+파일이 없거나 비어/);
});

test("doctor and list leave the tables of an earlier version as they are [45]", async ({
  temporary,
}) => {
  await temporary.store.accept(aNewApplication());
  await temporary.store.close();
  {
    using earlier = new DatabaseSync(temporary.databaseFile);
    earlier.exec(`UPDATE schema_version SET version = ${migrations.length - 1}`);
  }
  const before = readFileSync(temporary.databaseFile, "base64");
  expect(await examinedFindings(temporary)).toEqual([
    expect.stringMatching(
      /^warn: 데이터베이스가 이전 버전의 것이라 .+ 시작하면 백업을 만든 뒤 데이터베이스를 바꾸고/,
    ),
  ]);
  const env = { NODE_ENV: "production" as const, DATA_DIR: temporary.folder };
  const listed = await runOwnerCommand({ env }, "list");
  expect(listed).toMatchObject({ code: 1, stderr: expect.stringContaining("이전 버전의 것이라") });
  expect(readFileSync(temporary.databaseFile, "base64")).toBe(before);
});

test("the doctor reports a wrong clock, a jump of the clock, and the last backup", async ({
  temporary,
}) => {
  const now = Date.now();
  // The clock of another server may be a minute ahead.
  await temporary.store.accept(aNewApplication({ now: now + MINUTE }));
  const noBackup = expect.stringMatching(/^warn: 아직 백업이 없습니다/);
  expect(await examinedFindings(temporary)).toEqual([WELL, noBackup]);
  await temporary.store.accept(aNewApplication({ now: now + HOUR }));
  await temporary.store.writeNote("clock-jump", { at: now, value: `${-2 * DAY}` });
  await temporary.store.writeNote("backup", { at: now - DAY, value: "a.db" });
  expect(await examinedFindings(temporary)).toEqual([
    WELL,
    expect.stringMatching(/^fault: 서버 시계가 마지막 신청보다 60분 뒤처져 있습니다\. /),
    expect.stringMatching(/^warn: 서버 시계가 .+에 48시간 바뀌었습니다\. /),
    expect.stringMatching(/^ok: 온전한 마지막 백업은 .+에 끝났습니다\.$/),
  ]);
  await temporary.store.writeNote("clock-jump", { at: now - DAY, value: `${-2 * DAY}` });
  await temporary.store.writeNote("backup", { at: now - 4 * DAY, value: "a.db" });
  expect(await examinedFindings(temporary)).toContainEqual(
    expect.stringMatching(/^warn: 백업이 되지 않고 있습니다\(.+사흘 동안 백업이 없음/),
  );
  expect(await temporary.store.readNote("write-probe")).toBeDefined();
});

test("the examination of the database hands on the site's note about a CDN", async ({
  temporary,
}) => {
  const now = Date.now();
  await temporary.store.accept(aNewApplication({ now }));
  const site = openStore(configOf(temporary));
  await site.writeNote("cdn", { at: now, value: "{}" });
  await site.close();
  expect((await examineDatabase(configOf(temporary))).cdnNote).toEqual({ at: now, value: "{}" });
});
