import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { examineDatabase } from "#cli/doctor/database.ts";
import { type Config, parseConfig } from "#lib/config.ts";
import { openStore } from "#lib/storage/open.ts";
import { canMount, withMounts } from "#testing/mounted.ts";
import { aNewApplication, TEST_NOW } from "#testing/temporary-store.ts";

let config: Config;
beforeEach(async () => {
  config = parseConfig({ DATA_DIR: mkdtempSync(join(tmpdir(), "doctor-")) });
  const store = openStore(config);
  await store.accept(aNewApplication());
  await store.close();
});
afterEach(() => rmSync(config.dataDir, { recursive: true, force: true }));

async function look() {
  const { finding } = await examineDatabase(config);
  return `${finding.level}: ${finding.sentence}`;
}

function change(statement: string) {
  using database = new DatabaseSync(config.databaseFile);
  database.exec(statement);
}

test("before the first start nothing is made", async () => {
  const empty = parseConfig({ DATA_DIR: join(config.dataDir, "later") });
  expect(await examineDatabase(empty)).toEqual({
    finding: {
      check: "database",
      level: "ok",
      sentence: "데이터베이스는 아직 없고, 처음 시작할 때 만들어집니다.",
    },
  });
  expect(existsSync(empty.dataDir)).toBe(false);
});

test("all is well, also while the site runs, and the time of the latest application is told", async () => {
  const store = openStore(config);
  await store.counts(TEST_NOW);
  expect(await look()).toBe("ok: 데이터베이스가 온전하고 신청을 저장할 수 있습니다.");
  expect((await examineDatabase(config)).newestAt).toBe(TEST_NOW);
  await store.close();
});

test("a newer version", async () => {
  change("UPDATE schema_version SET version = 999");
  expect(await look()).toMatch(/^fault: 더 새로운 버전의 프로그램이 .+ 복원해 주세요\.$/);
});

test("damage", async () => {
  const bytes = readFileSync(config.databaseFile);
  bytes.fill(0x55, 4_096 * 2, 4_096 * 4);
  writeFileSync(config.databaseFile, bytes);
  expect(await look()).toMatch(
    /^fault: 데이터베이스 파일이 손상되었습니다\. .+백업을 복원해 주세요\.$/,
  );
});

test("something that is no database", async () => {
  writeFileSync(config.databaseFile, "x".repeat(8_192));
  expect(await look()).toMatch(/^fault: 데이터베이스 파일이 손상되었습니다/);
});

test.each([
  ["missing", () => rmSync(config.databaseFile)],
  ["emptied", () => truncateSync(config.databaseFile)],
])("a database that is %s is not begun anew", async (_what, lose) => {
  lose();
  expect(await look()).toMatch(/^fault: 만들어져 있던 데이터베이스 파일이 없거나 비어 있습니다\. /);
});

test("another program holds the lock", async () => {
  using other = new DatabaseSync(config.databaseFile);
  other.exec("BEGIN IMMEDIATE");
  expect(await look()).toMatch(
    /^fault: 다른 프로그램이 데이터베이스를 잠그고 있습니다\. .+닫아 주세요\.$/,
  );
});

test("something that cannot be opened as a file", async () => {
  rmSync(config.databaseFile);
  mkdirSync(config.databaseFile);
  writeFileSync(join(config.databaseFile, "x"), "");
  expect(await look()).toMatch(/^fault: 데이터베이스를 열 수 없습니다\. .+확인해 주세요\.$/);
});

const FULL_SITE = `(async () => {
  const { DatabaseSync } = await import("node:sqlite");
  const { writeFileSync } = await import("node:fs");
  const site = new DatabaseSync("DISK/applications.db");
  site.exec("SELECT count(*) FROM applications");
  try { writeFileSync("DISK/full", Buffer.alloc(1_000_000)); } catch {}
  return [(await database.examineDatabase({ databaseFile: "DISK/applications.db" })).finding];
})()`;
const LOOK = `[(await database.examineDatabase({ databaseFile: "DISK/applications.db" })).finding]`;

test.skipIf(!canMount).each([
  [
    "a file that cannot be written",
    'mount --bind "$F/applications.db" "$F/applications.db"; mount -o remount,bind,ro "$F/applications.db"',
    LOOK,
    /^데이터베이스에 쓸 수 없습니다\. .+쓰기 권한을 주세요\.$/,
  ],
  [
    "a disk that is full while the site runs",
    "",
    FULL_SITE,
    /^데이터베이스가 있는 디스크가 가득 찼습니다\. 공간을 비워 주세요\.$/,
  ],
])("%s", (_what, ruin, look, sentence) => {
  const disk = join(config.dataDir, "disk");
  const [finding] = withMounts(
    `F=${disk}; mkdir "$F"; mount -t tmpfs -o size=600k t "$F"; cp ${config.databaseFile}* "$F/"\n${ruin}`,
    look.replaceAll("DISK", disk),
  );
  expect(finding).toMatchObject({ level: "fault", sentence: expect.stringMatching(sentence) });
});
