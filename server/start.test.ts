import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";

test("a start without a full build ends with a sentence", () => {
  const cwd = makeTemporaryFolder();
  // These files are left by a build that was killed while Next was at work.
  mkdirSync(join(cwd, ".next"));
  writeFileSync(join(cwd, ".next/BUILD_ID"), "");
  const env = { NODE_ENV: "test", LOG_LEVEL: "silent" } as const;
  const run = spawnSync(process.execPath, [resolve("server/main.ts")], { cwd, env });
  expect(`${run.stderr}`).toBe(`There is no full build in ${cwd}. Run \`npm run build\` there.\n`);
  expect(run.status).toBe(1);
});
