import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "#testing/storage/temporary-folder.ts";

const LACKS = "node: error while loading shared libraries: libatomic.so.1";

test.for<[what: string, needed: string, program: string | undefined, fault: RegExp | undefined]>([
  ["too old, and no package fits", ">=99", undefined, /needs Node >=99.*none for \w+-\w+/],
  ["too old, and the package lacks a library", ">=99", `echo '${LACKS}' >&2; exit 1`, /libatomic1/],
  ["too old, and a package brings another", ">=99", "exit 0", undefined],
  ["new enough", ">=24", undefined, undefined],
])("the Node at hand is %s", ([, needed, program, fault]) => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ engines: { node: needed } }));
  // As after an installation.
  for (const name of ["package-lock.json", "node_modules/.installed-lock.json"])
    writeFileSync(join(folder, name), "{}");
  const node = join(folder, "node_modules/.bin/node");
  if (program) writeFileSync(node, `#!/bin/sh\n${program}\n`, { mode: 0o755 });
  const setUp = [resolve("build/set-up.mjs")];
  const { status, stderr } = spawnSync(process.execPath, setUp, { cwd: folder, encoding: "utf8" });
  expect(status).toBe(fault ? 1 : 0);
  if (fault) expect(stderr).toMatch(fault);
});
