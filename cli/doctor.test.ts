import { join } from "node:path";
import { expect, test } from "vitest";
import { buildChildEnv } from "#testing/site/child-env.ts";
import { runProgram } from "#testing/site/command-line.ts";
import { findFreePort } from "#testing/site/free-port.ts";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";

/** Runs a command as an operator does, in a folder without an `.env`. */
function runAsOperator(program: string, args: string[] = [], env: Record<string, string> = {}) {
  const cwd = makeTemporaryFolder();
  return runProgram(program, args, {
    cwd,
    env: { ...buildChildEnv(), NODE_ENV: "production", DATA_DIR: join(cwd, "data"), ...env },
  });
}

test("the doctor prints one line for each finding", async () => {
  const port = `${await findFreePort()}`;
  const { stdout, stderr, code } = await runAsOperator("cli/doctor.ts", [], { PORT: port });
  expect(stderr).toBe("");
  expect(code).toBe(1);
  const lines = stdout.trim().split("\n");
  const findings = lines.slice(0, -2);
  for (const line of findings)
    expect(line).toMatch(/^\[(정상|주의|설정 필요|고장)\] .*[가-힣].*[.)]$/);
  const parts = "데이터 폴더 데이터베이스 사이트가 SITE_URL 사업자 문자도";
  for (const part of parts.split(" ")) expect(stdout).toContain(part);
  const count = (label: string) =>
    `${label} ${findings.filter((line) => line.startsWith(`[${label}]`)).length}`;
  expect(lines.at(-1)).toBe(["고장", "설정 필요", "주의", "정상"].map(count).join(" · "));
  expect(stdout).toContain("[설정 필요] 문의 전화가");
});

test.each([
  ["cli/applications.ts", ["list"], /SMTP_HOST.*\n.*PORT/],
  ["cli/migrate-to-postgres.ts", [], /SMTP_HOST.*\n.*PORT/],
  ["server/main.ts", [], /SMTP_HOST.*\n.*PORT/],
  ["cli/doctor.ts", [], /^\[고장\] 설정이 .*SMTP_HOST.*\n\[고장\] 설정이 .*PORT.*\n\n고장 2 ·/],
])("%s names each faulty setting without its secret [42]", async (program, args, expected) => {
  const faulty = { SMTP_HOST: "smtp://u:a-secret@host", PORT: "soon" };
  const { code, said } = await runAsOperator(program, args, faulty);
  expect(code).toBe(1);
  expect(said).toMatch(expected);
  expect(said).not.toMatch(/a-secret| {4}at /);
});
