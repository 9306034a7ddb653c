/** The database of each release is taken over by every later program. The files were made by the release itself. */
import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { openSqlite } from "#lib/storage/sqlite/open.ts";
import {
  aNewApplication,
  anApplication,
  TEST_NOW,
  withStore as test,
} from "#testing/storage/temporary-store.ts";

const RELEASED = "testing/fixtures/applications-1.0.0.db.gz";

/** Each thing in a database, and the statement that makes it, however it is spaced and quoted. */
function schemaOf(file: string) {
  using database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").all();
  return rows.map(({ name, sql }) => [name, String(sql).replaceAll(/["\s]/g, "")]);
}

test("a database of 1.0.0 is taken over whole, and goes on", async ({ databaseFile, store }) => {
  writeFileSync(databaseFile, gunzipSync(readFileSync(RELEASED)));
  expect(await store.counts(TEST_NOW)).toMatchObject({ done: 1, sent: 1, waiting: 1 });
  const [waiting, sent] = await store.list({});
  expect(waiting).toMatchObject({ route: "mail", suspicion: "honeypot" });
  expect(sent?.application).toEqual(anApplication({ name: "김여주" }));
  for (const [idempotencyKey, name, outcome] of [
    ["done", "홍길동", "replayed"],
    ["sent", "김여주", "replayed"],
    ["waiting", "이양평", "replayed"],
    ["new", "이양평둘", "stored"],
  ] as const) {
    const application = anApplication({ name });
    const accepted = await store.accept(aNewApplication({ application, idempotencyKey }));
    expect([idempotencyKey, accepted.outcome]).toEqual([idempotencyKey, outcome]);
  }
  expect(await store.holdWorker("next worker")).toBe("new");
  const jobs = await store.dueJobs({ now: TEST_NOW, limit: 9 });
  const attempts = jobs.map((job) => job.attempts.map(({ outcome }) => outcome));
  expect(attempts).toEqual([["accepted"], [], []]);
});

test("a database of today has the tables of one that was taken over", async ({ temporary }) => {
  const old = `${temporary.folder}/old.db`;
  writeFileSync(old, gunzipSync(readFileSync(RELEASED)));
  for (const databaseFile of [old, temporary.databaseFile])
    await (await openSqlite(databaseFile)).close();
  expect(schemaOf(temporary.databaseFile)).toEqual(schemaOf(old));
});
