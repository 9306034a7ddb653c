/** The database of each release is taken over by every later program. The files were made by the release itself. */
import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { migrations } from "#lib/storage/migrations.ts";
import { openStore } from "#lib/storage/open.ts";
import {
  aNewApplication,
  anApplication,
  TEST_NOW,
  temporaryStore,
} from "#testing/temporary-store.ts";

const RELEASED = "testing/fixtures/applications-1.0.0.db.gz";

/** Each thing in a database, and the statement that makes it, however it is spaced and quoted. */
function schemaOf(file: string) {
  using database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").all();
  return rows.map(({ name, sql }) => [name, String(sql).replaceAll(/["\s]/g, "")]);
}

test("a database of 1.0.0 is taken over with everything in it, and goes on", async () => {
  await using temporary = temporaryStore();
  const { databaseFile } = temporary;
  writeFileSync(databaseFile, gunzipSync(readFileSync(RELEASED)));
  const store = openStore({ databaseFile });
  expect(await store.counts(TEST_NOW)).toMatchObject({ done: 1, sent: 1, waiting: 1 });
  const [waiting, sent] = await store.list({});
  expect(waiting).toMatchObject({ route: "mail", suspicion: "honeypot" });
  expect(sent?.application).toEqual(anApplication({ name: "김여주" }));
  for (const idempotencyKey of ["done", "sent", "waiting"]) {
    const name = { done: "홍길동", sent: "김여주", waiting: "이양평" }[idempotencyKey] ?? "";
    const repeat = aNewApplication({ application: anApplication({ name }), idempotencyKey });
    expect(await store.accept(repeat)).toMatchObject({ outcome: "replayed" });
  }
  expect(await store.accept(aNewApplication({ idempotencyKey: "new" }))).toMatchObject({
    outcome: "stored",
  });
  expect(await store.holdWorker("next worker")).toBe("new");
  const due = { now: TEST_NOW, first: undefined, raisedBefore: undefined, except: [], limit: 9 };
  const jobs = await store.dueJobs(due);
  expect(jobs.map(({ sends }) => sends.map(({ outcome }) => outcome))).toEqual([
    ["accepted"],
    [],
    [],
  ]);
  await store.close();
});

test("a database that begins today ends with the tables of one that was taken over", async () => {
  await using temporary = temporaryStore();
  const old = `${temporary.folder}/old.db`;
  writeFileSync(old, gunzipSync(readFileSync(RELEASED)));
  for (const databaseFile of [old, temporary.databaseFile]) {
    const store = openStore({ databaseFile });
    await store.counts(TEST_NOW);
    await store.close();
  }
  expect(schemaOf(temporary.databaseFile)).toEqual(schemaOf(old));
  using database = new DatabaseSync(old, { readOnly: true });
  const version = database.prepare("SELECT version FROM schema_version").get();
  expect(version).toEqual(expect.objectContaining({ version: migrations.length }));
});
