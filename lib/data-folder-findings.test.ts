import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseConfig } from "#lib/config.ts";
import {
  dataFolderFindings,
  ephemeralFolderFindings,
  freeSpaceFinding,
  unwritableFolderFinding,
} from "#lib/data-folder-findings.ts";
import { machineHas } from "#testing/machine-needs.ts";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";

const isRoot = process.getuid?.() === 0;
const MEGABYTE = 1_024 * 1_024;

const findingsOf = (DATA_DIR: string, more = {}, version?: string) =>
  dataFolderFindings(parseConfig({ DATA_DIR, ...more }), version).map(
    ({ level, sentence }) => `${level}: ${sentence}`,
  );

test("a writable folder is ok, even before the first start", () => {
  const folder = makeTemporaryFolder();
  expect(findingsOf(folder).at(-1)).toMatch(/^(ok|warn): .*디스크에 [\d,]+ MB/);
  expect(findingsOf(join(folder, "later"))).toEqual([
    "ok: 데이터 폴더는 아직 없고, 처음 시작할 때 만들어집니다.",
  ]);
});

test("a data folder that is a file or cannot be written is a fault", () => {
  const folder = makeTemporaryFolder();
  const file = join(folder, "data");
  writeFileSync(file, "");
  // Permissions do not stop root, but not even root can create a file in /proc/sys.
  const readOnly = isRoot ? "/proc/sys" : join(folder, "read-only");
  if (!isRoot) mkdirSync(readOnly, { mode: 0o500 });
  for (const dataDir of [file, readOnly]) {
    expect(findingsOf(dataDir)).toEqual([
      expect.stringMatching(
        /^fault: 데이터 폴더에 쓸 수 없습니다\(.+: E\w+\)\. .+확인해 주세요\.$/,
      ),
    ]);
  }
});

test.each([
  ["ENOSPC", /df -h.*df -i/],
  ["EDQUOT", /df -h.*df -i/],
  ["EACCES", /chown/],
])("the data folder's error %s is reported with its remedy", (code, remedy) => {
  const { level, sentence } = unwritableFolderFinding("/data", code);
  expect(`${level}: ${sentence}`).toMatch(/^fault: 데이터 폴더에 쓸 수 없습니다\(\/data: E/);
  expect(sentence).toMatch(remedy);
});

test.each([
  ["3.50.4", {}, 1],
  ["3.50.4", { DATABASE_URL: "postgres://db/site" }, 0],
  ["3.50.7", {}, 0],
  ["3.51.2", {}, 1],
  ["3.51.3", {}, 0],
  ["3.53.0", {}, 0],
])(
  "SQLite $0 with the settings $1 gives $2 warnings of a loss of data",
  (version, settings, warnings) => {
    const found = findingsOf(makeTemporaryFolder(), settings, version);
    const warning = new RegExp(`^warn: .*SQLite ${version}.+잃을 수 있는 결함.+바꿔 주세요\\.$`);
    expect(found.filter((each) => warning.test(each))).toHaveLength(warnings);
  },
);

test.runIf(machineHas("memory"))("a database in memory is a fault", () => {
  const fault = /^fault: \/dev\/shm\S* 폴더가 메모리\(tmpfs\)에 있어 .+옮겨 주세요\.$/;
  expect(findingsOf("/dev/shm/later")[0]).toMatch(fault);
  const later = { DATABASE_URL: "file:/dev/shm/later/a.db" };
  expect(findingsOf(makeTemporaryFolder(), later)[0]).toMatch(fault);
  const elsewhere = { DATABASE_URL: "postgres://site@db/site" };
  expect(findingsOf("/dev/shm", elsewhere).join()).not.toMatch(/tmpfs/);
});

test.each([
  ["overlayfs", 0x794c7630, [/^fault: \/data 폴더가 컨테이너 안에만 .+볼륨/]],
  ["ramfs", 0x858458f6, [/^fault: \/data 폴더가 메모리/]],
  ["ext4", 0xef53, []],
])("a data folder on $0 gives the findings $2", (_name, type, sentences) => {
  const found = ephemeralFolderFindings("/data", type).map(
    (each) => `${each.level}: ${each.sentence}`,
  );
  expect(found).toEqual(sentences.map((sentence) => expect.stringMatching(sentence)));
});

test.each([
  [100, /^fault: 디스크에 100 MB만 남았습니다\. .+늘려 주세요\.$/],
  [500, /^warn: 디스크에 500 MB만 남았습니다\. /],
  [2_000, /^ok: .+ 2,000 MB가 남아 있습니다\.$/],
])("free space of %i MB gives the finding %s", (megabytes, expected) => {
  const { level, sentence } = freeSpaceFinding(megabytes * MEGABYTE);
  expect(`${level}: ${sentence}`).toMatch(expected);
});
