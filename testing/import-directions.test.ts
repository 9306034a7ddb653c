/** The house: each room, and what it may import. See README.md, "Where things are". */
import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";

/** The rooms of lib that the rooms above lib may import. What opens a database or a backup is not among them. */
const LIB = [
  "lib/",
  "lib/application/",
  "lib/channels/",
  "lib/content/",
  "lib/delivery/",
  "lib/intake/",
  "lib/storage/",
];
const DATABASES = ["lib/storage/sqlite/", "lib/storage/postgres/"];

/** A room → the rooms that it may import beside itself. The first room that a path begins with is its room. */
const ROOMS: [room: string, mayImport: string[]][] = [
  ["lib/content/", []],
  ["lib/application/", ["lib/content/"]],
  ["lib/browser/", ["lib/application/", "lib/content/"]],
  ["lib/storage/sqlite/", ["lib/storage/", "lib/"]],
  ["lib/storage/postgres/", ["lib/storage/", "lib/"]],
  ["lib/storage/", [...DATABASES, "lib/application/", "lib/"]],
  ["lib/channels/", ["lib/application/", "lib/content/", "lib/storage/", "lib/"]],
  ["lib/intake/", ["lib/application/", "lib/content/", "lib/storage/", "lib/"]],
  ["lib/delivery/", ["lib/application/", "lib/content/", "lib/channels/", "lib/storage/", "lib/"]],
  ["lib/", LIB],
  ["components/", ["lib/content/", "lib/application/", "lib/browser/"]],
  [
    "app/",
    ["components/", "lib/content/", "lib/application/", "lib/browser/", "lib/intake/", "lib/"],
  ],
  ["server/", LIB],
  ["cli/", [...LIB, "server/"]],
  ["build/", [...LIB, "lib/browser/", "server/"]],
  ["testing/", [...LIB, ...DATABASES, "lib/browser/", "components/", "server/", "build/"]],
  // bare-insert.ts times SQLite alone, with the site's settings.
  ["measure/", [...LIB, "lib/storage/sqlite/", "server/", "build/", "testing/"]],
];
/** These talk to the site and stand in for what it talks to, so that they know any package. */
const OUTSIDE = ["testing/", "measure/"];

/** A package → the only places that know it. */
const PACKAGES: Record<string, string[]> = {
  twilio: ["lib/channels/sms/"],
  nodemailer: ["lib/channels/mail/"],
  "node:sqlite": ["lib/storage/sqlite/"],
  pg: ["lib/storage/postgres/"],
  zod: ["lib/", "server/", "cli/"],
};

/** What never reaches a browser, though its room does. */
const SERVER_ONLY = ["lib/application/schema.ts"];
const ZOD_FREE = ["lib/content/", "lib/browser/", "components/"];

/** It imports nothing: the table of an application's fields, for everybody. */
const EVERYBODYS = "lib/application/fields.ts";

const roomOf = (path: string) => ROOMS.find(([room]) => path.startsWith(room));
const SPECIFIER = /(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g;

/** Why `file` may not import `specifier`, or undefined when it may. */
function fault(file: string, specifier: string): string | undefined {
  const room = roomOf(file);
  if (room === undefined) return undefined;
  const allowed = [room[0], ...room[1]];
  // The design lies in the root, which has no #.
  if (/^[./]+\/tailwind\.config\.ts$/.test(specifier)) return undefined;
  // measure/ has a package.json of its own, without #.
  if (room[0] === "measure/" && specifier.startsWith("../"))
    return fault(file, `#${specifier.slice("../".length)}`);
  if (specifier.startsWith("..")) return "write imports from the root: #lib/…";
  if (specifier.startsWith("#")) {
    const target = specifier.slice(1);
    if (SERVER_ONLY.includes(target) && ZOD_FREE.some((place) => file.startsWith(place)))
      return "the schema is the server's";
    if (target === EVERYBODYS) return undefined;
    const targetRoom = roomOf(target)?.[0] ?? posix.dirname(target);
    return allowed.includes(targetRoom) ? undefined : `${room[0]} may not import ${targetRoom}`;
  }
  if (OUTSIDE.includes(room[0])) return undefined;
  const places = PACKAGES[specifier.split("/")[0] ?? ""] ?? PACKAGES[specifier];
  if (places === undefined) return undefined;
  if (specifier === "zod" && ZOD_FREE.some((place) => file.startsWith(place))) return "no zod here";
  return places.some((place) => file.startsWith(place)) ? undefined : `only ${places} may`;
}

const importsOf = (file: string) =>
  [...readFileSync(file, "utf8").matchAll(SPECIFIER)].map(([, specifier = ""]) => specifier);

const everything = globSync(
  "{app,components,lib,server,cli,build,testing,measure}/**/*.{ts,tsx,mjs}",
  { exclude: ["**/node_modules/**"] },
);
/** Without the tests: they may import testing/, and whatever they try out. */
const files = everything.filter((file) => !/\.test\.tsx?$/.test(file));

/** File → the files of ours that it imports, types included. */
function importGraph(paths: readonly string[]): Map<string, string[]> {
  return new Map(
    paths.map((path) => [
      path,
      importsOf(path).flatMap((specifier) => {
        if (specifier.startsWith("#")) return [specifier.slice(1)];
        return specifier.startsWith(".") ? [posix.join(posix.dirname(path), specifier)] : [];
      }),
    ]),
  );
}

/** The first way found on which a file imports itself; undefined when there is none. */
function cycleIn(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  function from(file: string, way: readonly string[]): string[] | undefined {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const cycle = from(next, [...way, file]);
      if (cycle) return cycle;
    }
    done.add(file);
    return undefined;
  }
  for (const file of graph.keys()) {
    const cycle = from(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}

describe("import cycles", () => {
  it("do not exist, type imports included", () => {
    expect(everything.length).toBeGreaterThan(300);
    expect(cycleIn(importGraph(everything))).toBeUndefined();
  });

  it("are found", () => {
    const graph = new Map([
      ["a.ts", ["b.ts", "c.ts"]],
      ["b.ts", ["c.ts"]],
      ["c.ts", ["d.ts"]],
      ["d.ts", ["b.ts"]],
    ]);
    expect(cycleIn(graph)).toEqual(["b.ts", "c.ts", "d.ts", "b.ts"]);
  });
});

describe("the direction of imports", () => {
  it("holds in every file", () => {
    const faults = files.flatMap((file) =>
      importsOf(file).flatMap((specifier) => {
        const why = fault(file, specifier);
        return why === undefined ? [] : [`${file} imports ${specifier}: ${why}`];
      }),
    );
    expect(faults).toEqual([]);
    expect(files.length).toBeGreaterThan(300);
  });

  it.each([
    ["lib/content/prices.ts", "#lib/application/summary.ts"],
    ["lib/application/schema.ts", "#lib/config.ts"],
    ["lib/browser/outbox.ts", "#lib/application/schema.ts"],
    ["lib/browser/outbox.ts", "zod"],
    ["lib/storage/store.ts", "#lib/delivery/worker.ts"],
    ["lib/storage/open.ts", "node:sqlite"],
    ["lib/channels/mail/smtp.ts", "twilio"],
    ["lib/channels/file.ts", "#lib/delivery/worker.ts"],
    ["lib/intake/receive.ts", "#lib/channels/file.ts"],
    ["lib/delivery/worker.ts", "#lib/intake/receive.ts"],
    ["components/ui/button.tsx", "#lib/config.ts"],
    ["components/ui/button.tsx", "../../lib/config.ts"],
    ["app/page.tsx", "#server/main.ts"],
    ["cli/doctor/database.ts", "#lib/storage/sqlite/inspect.ts"],
    ["cli/migrate-to-postgres.ts", "#lib/storage/postgres/open.ts"],
    ["server/start.ts", "#lib/storage/sqlite/open.ts"],
    ["lib/intake/windows.ts", "#lib/storage/postgres/open.ts"],
    ["lib/delivery/retention.ts", "#lib/storage/sqlite/copy.ts"],
    ["lib/health.ts", "#lib/storage/sqlite/inspect.ts"],
    ["lib/storage/sqlite/open.ts", "#lib/storage/postgres/open.ts"],
    ["measure/server.ts", "../lib/storage/postgres/open.ts"],
    ["server/main.ts", "#components/ui/button.tsx"],
    ["lib/clock.ts", "#testing/site.ts"],
    ["cli/doctor.ts", "#testing/site.ts"],
    ["server/main.ts", "#build/service-worker.ts"],
    ["app/page.tsx", "#measure/median.ts"],
    ["components/ui/button.tsx", "#build/font-characters.ts"],
    ["build/service-worker.ts", "#testing/site.ts"],
    ["build/service-worker.ts", "../playwright.config.ts"],
    ["build/set-up.mjs", "#measure/median.ts"],
    ["testing/site.ts", "#measure/median.ts"],
  ])("%s may not import %s", (file, specifier) => {
    expect(fault(file, specifier)).toBeDefined();
  });
});
