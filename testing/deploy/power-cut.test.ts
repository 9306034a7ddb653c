/** This test is not in update.test.ts, because it takes as long as all tests there. The two files run in parallel. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { renameColumn } from "#testing/deploy/next-version.ts";
import { installHost, LONG_TEST } from "#testing/deploy/stand-in-host.ts";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";

/** The files and the schema version that a power cut leaves. Steps that leave the same ones are tested once. */
function stateOf(snapshot: string): string {
  using database = new DatabaseSync(join(snapshot, "data/applications.db"));
  const files = ["pending", "current/unwell", "earlier/package.json", "data/backups"];
  return JSON.stringify([
    files.map((file) => existsSync(join(snapshot, file))),
    database.prepare("SELECT version FROM schema_version").get(),
  ]);
}

test("a power cut at any step of an update loses no application [89]", LONG_TEST, async () => {
  const host = await installHost();
  const { said: number } = await host.apply();
  host.publish({ unwell: "" }, renameColumn);
  const snapshots = makeTemporaryFolder();
  expect((await host.update({ patience: 10, snapshots })).status).toBe(1);
  const steps = readdirSync(snapshots).toSorted();
  const states = new Map(steps.map((step) => [stateOf(join(snapshots, step)), step]));
  expect(states.size).toBeGreaterThan(5);
  let interrupted = 0;
  for (const step of states.values()) {
    host.returnTo(join(snapshots, step));
    // The next update finds that the new version does not answer.
    if (host.has("unwell")) {
      interrupted++;
      expect((await host.update({ patience: 8 })).stderr).toContain("on its own database");
    }
    await expect.poll(() => host.list()).toEqual([number]);
    expect((await host.apply()).status).toBe(200);
  }
  expect(interrupted).toBeGreaterThan(1);
});
