import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepBuild } from "#server/earlier-builds.ts";
import { filesBelow } from "#server/files.ts";
import { earlierBuilds, open } from "#testing/static-site.ts";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 11, 1);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "builds-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A build of these files. */
function build(...names: string[]): string {
  const build = mkdtempSync(join(folder, "build-"));
  mkdirSync(join(build, "chunks"));
  for (const name of names) writeFileSync(join(build, name), `content of ${name}`);
  return build;
}

test("a build's files stay for 30 days after its last day in service", async () => {
  const kept = join(folder, "data/builds");
  const [first, second] = [build("chunks/old.js", "chunks/both.js"), build("chunks/both.js")];
  expect(await keepBuild(first, kept, NOW)).toEqual([]);
  // It ran for 40 days, and looked at the calendar each day.
  await keepBuild(first, kept, NOW + 40 * DAY_MS);
  expect(await keepBuild(second, kept, NOW + 41 * DAY_MS)).toEqual(["chunks/old.js"]);
  expect(await keepBuild(second, kept, NOW + 70 * DAY_MS)).toEqual(["chunks/old.js"]);
  expect(await keepBuild(second, kept, NOW + 71 * DAY_MS)).toEqual([]);
  expect(filesBelow(kept)).toEqual(["chunks/both.js"]);
});

test("a copy that was cut off is made anew", async () => {
  const kept = join(folder, "builds");
  await keepBuild(build("chunks/a.js"), kept, NOW);
  writeFileSync(join(kept, "chunks/a.js"), "cont");
  await keepBuild(build("chunks/a.js"), kept, NOW);
  await keepBuild(build("chunks/b.js"), kept, NOW);
  rmSync(join(kept, "chunks/b.js"));
  expect(filesBelow(kept)).toEqual(["chunks/a.js"]);
});

test("a page that was open before an update finds its scripts", async () => {
  mkdirSync(join(earlierBuilds(), "chunks"), { recursive: true });
  const script = join(earlierBuilds(), "chunks/before.js");
  writeFileSync(script, "before()");
  utimesSync(script, new Date(), new Date());
  const { get } = await open();
  for (let times = 0; times < 2; times++) {
    const answer = await get("/_next/static/chunks/before.js");
    expect(answer.headers.get("content-type")).toContain("javascript");
    expect(answer.headers.get("cache-control")).toContain("immutable");
    expect(await answer.text()).toBe("before()");
    // From then on it is in memory.
    rmSync(script, { force: true });
  }
});

test("a data folder that takes nothing holds up no start", async () => {
  mkdirSync(join(earlierBuilds(), ".."), { recursive: true });
  writeFileSync(earlierBuilds(), "a file in the folder's place");
  const { get } = await open();
  expect((await get("/")).status).toBe(200);
});
