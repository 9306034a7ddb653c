import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "doctor-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The command as an operator calls it, in a folder without an `.env`. */
function doctor(env: Record<string, string> = {}) {
  const { PATH = "" } = process.env;
  return spawnSync(process.execPath, [resolve("cli/doctor.ts")], {
    cwd: folder,
    env: { PATH, NODE_ENV: "production", DATA_DIR: join(folder, "data"), ...env },
    encoding: "utf8",
  });
}

test("it looks at every part, says each finding in a line, counts them, and ends with 1 where something is broken", () => {
  const { stdout, stderr, status } = doctor();
  expect(stderr).toBe("");
  expect(status).toBe(1);
  const lines = stdout.trim().split("\n");
  const findings = lines.slice(0, -2);
  for (const line of findings) expect(line).toMatch(/^\[(정상|주의|고장)\] .*[가-힣].*[.)]$/);
  const parts = "데이터 폴더 데이터베이스 사이트가 SITE_URL 사업자 문자도";
  for (const part of parts.split(" ")) expect(stdout).toContain(part);
  const faults = findings.filter((line) => line.startsWith("[고장]")).length;
  expect(lines.at(-1)).toMatch(new RegExp(`^고장 ${faults} · 주의 \\d+ · 정상 \\d+$`));
});

test("faulty settings are told, each in a line, and stop the look, without its secret", () => {
  const { stdout, status } = doctor({ SMTP_URL: "http://u:a-secret@host", LOG_LEVEL: "loud" });
  expect(status).toBe(1);
  expect(stdout).toMatch(
    /^\[고장\] 설정이 .*SMTP_URL.*\n\[고장\] 설정이 .*LOG_LEVEL.*\n\n고장 2 · 주의 0 · 정상 0\n$/,
  );
  expect(stdout).not.toContain("a-secret");
});
