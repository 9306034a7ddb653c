import { execFileSync } from "node:child_process";
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

describe("a project in a folder with a space and a Korean name", () => {
  let folder: string;
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), "paths-")), "운전 연수");
    mkdirSync(folder);
    for (const name of ["build", "lib", "server", "package.json"])
      cpSync(name, join(folder, name), { recursive: true });
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"), "junction");
  });
  afterEach(() => rmSync(join(folder, ".."), { recursive: true }));

  const run = (script: string) => execFileSync(process.execPath, [script], { cwd: folder });

  test("bundles its service worker", () => {
    mkdirSync(join(folder, ".next/static"), { recursive: true });
    mkdirSync(join(folder, "public"));
    writeFileSync(join(folder, ".next/build-manifest.json"), '{"polyfillFiles":[]}');
    run("build/service-worker.ts");
    expect(readFileSync(join(folder, "public/sw.js"), "utf8")).toContain("addEventListener");
  });
});

test("no file takes its own path from the pathname of a URL, which is escaped", () => {
  const files = globSync(
    "{app,build,cli,components,e2e,lib,measure,server,testing}/**/*.{ts,tsx,mjs}",
    {
      exclude: ["**/node_modules/**", "build/paths.test.ts"],
    },
  );
  const wrong = files.filter((file) =>
    /new URL\([^)]*import\.meta\.url\)\.pathname/.test(readFileSync(file, "utf8")),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(wrong).toEqual([]);
});
