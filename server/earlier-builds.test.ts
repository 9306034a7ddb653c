import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { keepBuild } from "#server/earlier-builds.ts";
import { filesBelow } from "#server/files.ts";
import { earlierBuilds, open } from "#testing/static-site.ts";

const DAY_MS = 86_400_000;

test("a build's files stay for 30 days after its last day in service", async () => {
  const folder = mkdtempSync(join(tmpdir(), "builds-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [first, second, kept] = [join(folder, "1"), join(folder, "2"), join(folder, "data/builds")];
  for (const file of [join(first, "chunks/old.js"), join(second, "chunks/new.js")]) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "whole");
  }
  const pass = (days: number) => {
    const then = (Date.now() - days * DAY_MS) / 1_000;
    utimesSync(join(kept, "chunks/old.js"), then, then);
  };
  const names = () => filesBelow(kept).toSorted();
  await keepBuild(first, kept);
  // It runs for 40 days, and its copy is renewed each day.
  pass(40);
  await keepBuild(first, kept);
  await keepBuild(second, kept);
  pass(29);
  await keepBuild(second, kept);
  expect(names()).toEqual(["chunks/new.js", "chunks/old.js"]);
  pass(31);
  await keepBuild(second, kept);
  expect(names()).toEqual(["chunks/new.js"]);
});

test("a page that was open before an update finds its scripts", async () => {
  const script = join(earlierBuilds(), "chunks/before.js");
  mkdirSync(dirname(script), { recursive: true });
  writeFileSync(script, "before()");
  const { get } = await open();
  const answer = await get("/_next/static/chunks/before.js");
  expect(answer.headers.get("content-type")).toContain("javascript");
  expect(answer.headers.get("cache-control")).toContain("immutable");
  expect(await answer.text()).toBe("before()");
});

test("a data folder that takes nothing holds up no start", async () => {
  mkdirSync(join(earlierBuilds(), ".."), { recursive: true });
  writeFileSync(earlierBuilds(), "a file in the folder's place");
  const { get } = await open();
  expect((await get("/")).status).toBe(200);
});
