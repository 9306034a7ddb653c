/** The database files were made by the released versions themselves. */
import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { openSqlite } from "#lib/storage/sqlite/open.ts";
import {
  acquireTestLease,
  aNewApplication,
  anApplication,
  findDueJobs,
  TEST_NOW,
  testWithStore as test,
} from "#testing/storage/temporary-store.ts";

const RELEASED = "testing/fixtures/applications-1.0.0.db.gz";

/** The name and the SQL of each object in a database, without spaces and quotes. */
function schemaOf(file: string) {
  using database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").all();
  return rows.map(({ name, sql }) => [name, String(sql).replaceAll(/["\s]/g, "")]);
}

/** Rows of version 1.0.0: jobs in every state, a mail about several applications, an alarm, a weekly summary. */
const MORE_ROWS = `
  insert into applications select 'FILED222', route, submitted_at, content_hash, name, phone, gender, age, region,
    preferred_date, day_type, time_slot, car_type, message, suspicion, corrects from applications limit 1;
  insert into applications select 'GIVENUP2', route, submitted_at, content_hash, name, phone, gender, age, region,
    preferred_date, day_type, time_slot, car_type, message, suspicion, 'FILED222' from applications limit 1;
  insert into applications select 'DIGEST22', route, submitted_at, content_hash, name, phone, gender, age, region,
    preferred_date, day_type, time_slot, car_type, message, suspicion, corrects from applications limit 1;
  insert into jobs (id, subject, first, state, next_at, retry_at, raised_at, payload) values
    (50, 'digest:9-1', 'mail', 'open', 5, 5, 5, null),
    (51, 'weekly:2026-11-23', 'mail', 'done', 5, 5, 5, '{"after":0,"upTo":1}'),
    (52, 'witness:2026-11-23', 'sms', 'done', 5, 5, 5, '{"after":0,"upTo":1}'),
    (53, 'alarm:mail:a@b.kr', 'sms', 'done', 5, 5, 5, '고쳐 주세요.');
  insert into jobs (id, subject, application_id, first, state, next_at, tries, retry_at, digest, raised_at) values
    (60, 'application:FILED222', 'FILED222', 'sms', 'filed', 5, 0, 5, null, 5),
    (61, 'application:GIVENUP2', 'GIVENUP2', 'sms', 'given-up', 5, 9, 5, null, 5),
    (62, 'application:DIGEST22', 'DIGEST22', 'sms', 'open', 5, 0, 5, 50, 5);
  insert into sends (id, job_id, carrier, recipient, outcome, segments, begun_at) values
    (90, 50, 'mail', 'a@b.kr', 'unsent', 0, 5), (99, 61, 'sms', '+8210', 'refused', 1, 5);
  delete from sends where id = 99;`;

test("a database of version 1.0.0 is migrated completely", async ({ databaseFile, store }) => {
  writeFileSync(databaseFile, gunzipSync(readFileSync(RELEASED)));
  using before = new DatabaseSync(databaseFile);
  before.exec(MORE_ROWS);
  expect(await store.counts(TEST_NOW)).toMatchObject({ done: 1, sent: 1, filed: 1, givenUp: 1 });
  const found = (await store.list({})).map(({ applicationId, state }) => [applicationId, state]);
  expect(found.slice(0, 3)).toEqual([
    ["DIGEST22", "open"],
    ["GIVENUP2", "given-up"],
    ["FILED222", "filed"],
  ]);
  const [, , , waiting, sent] = await store.list({});
  expect(waiting).toMatchObject({ route: "mail", suspicion: "honeypot" });
  expect(sent?.application).toEqual(anApplication({ name: "김여주" }));
  expect(await store.list({ week: "2026-11-23" })).toHaveLength(1);
  expect(await store.previousSummaryTopic("2026-11-30")).toBe("2026-11-23");
  const alarm = { kind: "alarm", topic: "mail:a@b.kr" } as const;
  expect(await store.findEarlierJob(alarm)).toMatchObject({ state: "done" });
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
  const carried = await store.find("DIGEST22");
  // The migration turns one mail with several applications into one attempt for each application.
  expect(carried?.attempts).toMatchObject([{ channel: "mail", outcome: "not-sent" }]);
  // Ids continue after the highest id ever given.
  expect(carried?.attempts[0]?.id).toBe(100);
  expect(await acquireTestLease(store, "next worker")).toBe("acquired");
  const jobs = await findDueJobs(store);
  expect(jobs.map(({ id }) => id).toSorted()).toContain(63);
  const attempts = jobs.map((job) => job.attempts.map(({ outcome }) => outcome));
  expect(attempts.toSorted()).toEqual([[], [], ["accepted"], ["not-sent"]]);
});

test("a new database has the same tables as a migrated one", async ({ temporary }) => {
  const old = `${temporary.folder}/old.db`;
  writeFileSync(old, gunzipSync(readFileSync(RELEASED)));
  for (const databaseFile of [old, temporary.databaseFile])
    await (await openSqlite(databaseFile, { tables: "migrate" })).close();
  expect(schemaOf(temporary.databaseFile)).toEqual(schemaOf(old));
});
