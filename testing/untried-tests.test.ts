import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

function listLeftOut(changes: Record<string, string>) {
  const env = { ...process.env, ...changes };
  return spawnSync(process.execPath, ["testing/untried-tests.ts"], { env, encoding: "utf8" });
}

test("a run lists the tests that need what the machine lacks", () => {
  const { stdout, status } = listLeftOut({ PATH: "", EVERY_TEST: "1" });
  const line = "not tried here: tests of lib/storage/sqlite/open.test.ts, which need strace\n";
  expect([stdout, status]).toEqual([expect.stringContaining(line), 1]);
  expect(listLeftOut({ PATH: "", EVERY_TEST: "" })).toMatchObject({ stdout, status: 0 });
});
