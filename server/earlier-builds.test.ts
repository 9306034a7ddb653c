import { mkdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { DAY } from "#lib/application/durations.ts";
import { earlierBuildsFolder, openPageCache, requestsToNext } from "#testing/site/static-site.ts";

/** Writes a file of an earlier build that was last copied `days` ago. */
function writeOldFile(name: string, days: number): string {
  const file = join(earlierBuildsFolder(), name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "before()");
  const then = (Date.now() - days * DAY) / 1_000;
  utimesSync(file, then, then);
  return file;
}

test("a page that was open before an update finds its scripts for 30 days [74]", async () => {
  writeOldFile("chunks/before.js", 29);
  writeOldFile("chunks/long-before.js", 31);
  const { get } = await openPageCache();
  const answer = await get("/_next/static/chunks/before.js");
  expect(answer.headers.get("content-type")).toContain("javascript");
  expect(answer.headers.get("cache-control")).toContain("immutable");
  expect(await answer.text()).toBe("before()");
  expect(requestsToNext).toEqual([]);
  await get("/_next/static/chunks/long-before.js");
  expect(requestsToNext).toEqual(["GET /_next/static/chunks/long-before.js"]);
});

test("the start renews the modification times of the build's copied files", async () => {
  const file = writeOldFile("chunks/main.js", 40);
  await openPageCache();
  expect(Date.now() - statSync(file).mtimeMs).toBeLessThan(DAY);
});

test("an unusable folder of earlier builds does not prevent the start", async () => {
  mkdirSync(join(earlierBuildsFolder(), ".."), { recursive: true });
  writeFileSync(earlierBuildsFolder(), "a file in the folder's place");
  const { get } = await openPageCache();
  expect((await get("/")).status).toBe(200);
});
