import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test.each([
  ["cli/applications.ts", ["list"]],
  ["cli/migrate-to-postgres.ts", []],
  ["cli/doctor.ts", []],
])("%s names a faulty setting in a sentence, without a stack", (program, args) => {
  const env = { ...process.env, PORT: "soon" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    env,
    encoding: "utf8",
  });
  expect(status).toBe(1);
  expect(stdout + stderr).toMatch(/PORT.+must be a whole number/);
  expect(stdout + stderr).not.toContain("    at ");
});
