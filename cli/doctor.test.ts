import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { examine } from "#cli/doctor/examine.ts";
import { parseConfig } from "#lib/config.ts";

const folder = mkdtempSync(join(tmpdir(), "doctor-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The command as an operator calls it, in a folder without a build or an `.env`. */
function doctor(args: string[], env: Record<string, string> = {}) {
  const { PATH = "" } = process.env;
  return spawnSync(process.execPath, [resolve("cli/doctor.ts"), ...args], {
    cwd: folder,
    env: { PATH, NODE_ENV: "production", DATA_DIR: join(folder, "data"), ...env },
    encoding: "utf8",
  });
}

test("it says each finding in a line, counts them, and ends with 1 where something is broken", () => {
  const { stdout, stderr, status } = doctor([]);
  expect(stderr).toBe("");
  expect(status).toBe(1);
  const lines = stdout.trim().split("\n");
  const findings = lines.slice(0, -2);
  expect(findings.length).toBeGreaterThan(5);
  for (const line of findings) expect(line).toMatch(/^\[(정상|주의|고장)\] .*[가-힣].*[.)]$/);
  const faults = findings.filter((line) => line.startsWith("[고장]")).length;
  expect(lines.at(-1)).toMatch(new RegExp(`^고장 ${faults} · 주의 \\d+ · 정상 \\d+$`));
});

test("for machines it says the same as JSON, and a faulty setting stops the look, without its secret", () => {
  const { stdout, status } = doctor(["--json"], { SMTP_URL: "http://u:a-secret@host" });
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    status: "fault",
    findings: [
      { check: "node", level: "ok", sentence: expect.any(String) },
      { check: "settings", level: "fault", sentence: expect.stringContaining("SMTP_URL") },
    ],
  });
  expect(stdout).not.toContain("a-secret");
});

test("it ends with 2 when it was called in a way that it does not know", () => {
  expect(doctor(["--yaml"])).toMatchObject({
    status: 2,
    stdout: expect.stringContaining("사용법"),
  });
});

test("every part is looked at", async () => {
  const findings = await examine(parseConfig({ DATA_DIR: join(folder, "data") }));
  expect(findings.map(({ check }) => check)).toEqual([
    "data-folder",
    "database",
    "clock",
    "site-address",
    "inquiry-phone",
    "business-facts",
    "academy-registration",
    "sample-pictures",
    "build",
    "channels",
  ]);
});
