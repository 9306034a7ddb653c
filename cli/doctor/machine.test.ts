import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { examineDataFolder, examineRuntime } from "#cli/doctor/machine.ts";
import type { Finding } from "#lib/finding.ts";
import { canMount, withMounts } from "#testing/mounted.ts";

const MEMORY_DISK = "/dev/shm";
const isRoot = process.getuid?.() === 0;

test("a Node that is too old", () => {
  expect(examineRuntime("22.4.0")).toMatchObject({
    level: "fault",
    sentence: expect.stringMatching(/^Node 22\.4\.0은 너무 오래되었습니다\. .+써 주세요\.$/),
  });
  expect(examineRuntime().level).toBe("ok");
});

describe("the data folder", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "doctor-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function look(dataDir = folder, measures: Parameters<typeof examineDataFolder>[1] = {}) {
    return byCheck(examineDataFolder({ dataDir }, measures));
  }

  function byCheck(findings: Finding[]) {
    return Object.fromEntries(
      findings.map(({ check, level, sentence }) => [check, `${level}: ${sentence}`]),
    );
  }

  test("all is well, and the probe is gone", () => {
    expect(look(folder, { must: 1, should: 1 })).toMatchObject({
      "data-folder": "ok: 데이터 폴더에 쓸 수 있습니다.",
      "data-room": expect.stringMatching(/^ok: /),
    });
    expect(look(join(folder, "later"))).toEqual({
      "data-folder": "ok: 데이터 폴더는 아직 없고, 처음 시작할 때 만들어집니다.",
    });
  });

  test("it is a file", () => {
    const file = join(folder, "data");
    writeFileSync(file, "");
    expect(look(file)["data-folder"]).toBe(
      "fault: 데이터 폴더에 쓸 수 없습니다(ENOTDIR). DATA_DIR이 폴더가 아닙니다. .env에서 고쳐 주세요.",
    );
  });

  test("it cannot be written", () => {
    // Root may write everywhere but where the kernel itself says no.
    const readOnly = isRoot ? "/proc/sys" : join(folder, "read-only");
    if (!isRoot) mkdirSync(readOnly, { mode: 0o500 });
    expect(look(readOnly)["data-folder"]).toMatch(
      /^fault: 데이터 폴더에 쓸 수 없습니다\(E\w+\)\. .+주세요/,
    );
  });

  test.skipIf(!existsSync(MEMORY_DISK))("it lies in memory", () => {
    const inMemory = mkdtempSync(join(MEMORY_DISK, "doctor-"));
    const found = look(inMemory);
    rmSync(inMemory, { recursive: true });
    expect(found["data-disk"]).toMatch(
      /^fault: 데이터 폴더가 메모리\(tmpfs\)에 있어 다시 켜면 신청이 모두 사라집니다\. .+옮겨 주세요\.$/,
    );
  });

  test.skipIf(!canMount).each([
    [
      "on a disk that is full",
      'mkdir "$F/d"; mount -t tmpfs -o size=16k t "$F/d"; head -c 16k /dev/zero >"$F/d/full" || true',
      "data-folder",
      /^fault: 데이터 폴더에 쓸 수 없습니다\(ENOSPC\)\. 디스크가 가득 찼습니다\. 공간을 비워 주세요\.$/,
    ],
    [
      "on a disk that is read-only",
      'mkdir "$F/d"; mount -t tmpfs -o ro t "$F/d"',
      "data-folder",
      /^fault: 데이터 폴더에 쓸 수 없습니다\(EROFS\)\. 디스크가 읽기 전용입니다\. .+마운트해 주세요\.$/,
    ],
  ])("it lies %s", (_where, mounts, check, sentence) => {
    const dataDir = JSON.stringify(join(folder, "d"));
    const found = withMounts(
      `F=${folder}\n${mounts}`,
      `machine.examineDataFolder({dataDir: ${dataDir}})`,
    );
    expect(byCheck(found)[check]).toMatch(sentence);
  });

  test("its disk is nearly full", () => {
    const huge = Number.MAX_SAFE_INTEGER;
    expect(look(folder, { must: huge, should: huge })["data-room"]).toMatch(
      /^fault: 디스크에 [\d,]+ MB만 남아 곧 신청을 받지 못합니다\. .+비워 주세요\.$/,
    );
    expect(look(folder, { must: 1, should: huge })["data-room"]).toMatch(
      /^warn: 디스크에 [\d,]+ MB만 남았습니다\. /,
    );
  });

  test("others may read it", () => {
    expect(look()).not.toHaveProperty("data-access");
    chmodSync(folder, 0o755);
    expect(look()["data-access"]).toBe(
      `warn: 서버의 다른 사용자도 데이터 폴더의 개인정보를 읽을 수 있습니다. chmod 700 ${folder} 을 실행해 주세요.`,
    );
  });
});
