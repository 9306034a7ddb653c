import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";

/** Starts the server in a folder that has only this file of a build. */
function startWith(file: string, ...flags: string[]) {
  const cwd = makeTemporaryFolder();
  mkdirSync(join(cwd, ".next"));
  writeFileSync(join(cwd, ".next", file), "");
  const env = { NODE_ENV: "test", LOG_LEVEL: "silent" } as const;
  const options = { cwd, env, encoding: "utf8" } as const;
  return { cwd, ...spawnSync(process.execPath, [...flags, resolve("server/main.ts")], options) };
}

test("a start without a full build ends with a sentence", () => {
  // A build that was killed while Next was at work leaves this file.
  const { cwd, stderr, status } = startWith("BUILD_ID");
  expect(stderr).toBe(`There is no full build in ${cwd}. Run \`npm run build\` there.\n`);
  expect(status).toBe(1);
});

test("a signal during the start ends the process", () => {
  const signalItself = `process.on("newListener", (name) => {
    if (name === "SIGTERM") setImmediate(() => process.kill(process.pid, name));
  });`;
  const preload = `data:text/javascript,${encodeURIComponent(signalItself)}`;
  // A process that misses the signal would end with 1, because this file is empty.
  expect(startWith("prerender-manifest.json", "--import", preload).status).toBe(0);
});
