import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";

test("the service worker is bundled in a path with a space and Hangul [100]", () => {
  const folder = join(makeTemporaryFolder(), "운전 연수");
  for (const name of ["build", "lib", "server", "package.json"])
    cpSync(name, join(folder, name), { recursive: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"), "junction");
  mkdirSync(join(folder, ".next/static"), { recursive: true });
  mkdirSync(join(folder, "public"));
  writeFileSync(join(folder, ".next/build-manifest.json"), '{"polyfillFiles":[]}');
  execFileSync(process.execPath, ["build/service-worker.ts"], { cwd: folder });
  expect(readFileSync(join(folder, "public/sw.js"), "utf8")).toContain("addEventListener");
});
