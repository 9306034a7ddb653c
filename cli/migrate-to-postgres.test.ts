import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, inject } from "vitest";
import { examineDatabase } from "#cli/doctor/database.ts";
import { parseConfig } from "#lib/config.ts";
import { migrations } from "#lib/storage/migrations.ts";
import { deliverWith } from "#testing/delivery/deliver-with.ts";
import { POSTGRES_PASSWORD, runStatement } from "#testing/peers/postgres.ts";
import { runProgram } from "#testing/site/command-line.ts";
import { chooseMemoryFolder } from "#testing/storage/memory-folder.ts";
import { createPostgresTest, openStoreAt } from "#testing/storage/own-database.ts";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";
import { aNewApplication, anApplication, TEST_NOW } from "#testing/storage/temporary-store.ts";
import { openTestStore } from "#testing/storage/used-database.ts";

const test = createPostgresTest(() => inject("postgresUrl")).extend<{ folder: string }>({
  folder: async ({}, use) => use(makeTemporaryFolder(chooseMemoryFolder())),
});
const fileIn = (folder: string) => join(folder, "applications.db");

async function runMove(folder: string, databaseUrl: string) {
  const env = { ...process.env, DATA_DIR: folder, DATABASE_URL: databaseUrl };
  const { code, said } = await runProgram("cli/migrate-to-postgres.ts", [], { env });
  expect(said).not.toContain(POSTGRES_PASSWORD);
  return { code, said };
}

const NOT_MOVED = ["notes", "schema_version", "worker"];
const numberedApplication = (index: number) => {
  const application = anApplication({ name: `O'Brien ${index} 샾 🚗`, message: '첫 "줄"\n둘째' });
  return aNewApplication({ application, idempotencyKey: `k${index}` });
};

test("the migration to PostgreSQL moves all but notes and lease", async ({ folder, url }) => {
  const before = openTestStore(fileIn(folder));
  await Promise.all(
    Array.from({ length: 603 }, (_, index) => before.accept(numberedApplication(index))),
  );
  // The ids of deleted rows are not given again.
  const phone = "+821055556666";
  await before.accept(aNewApplication({ application: anApplication({ phone }) }));
  await before.forgetPhone(phone);
  await deliverWith({ store: before, folder }, { sms: { outcome: "accepted", providerId: "SM1" } });
  await before.writeNote("backup-failure", { at: TEST_NOW + 1, value: "ENOSPC" });
  const listed = await before.list({});
  await before.close();

  const { code, said } = await runMove(folder, url);
  expect(code, said).toBe(0);
  expect(said).toMatch(/applications +603 rows\n/);
  expect(said).toMatch(/messages +[1-9]\d* rows/);
  const named = [...said.matchAll(/^(\w+) +\d+ rows/gm)].map(([, table]) => table);
  const tables = await runStatement(
    url,
    "select tablename as table from pg_tables where schemaname = 'public'",
  );
  expect(new Set([...named, ...NOT_MOVED].map((table) => ({ table })))).toEqual(new Set(tables));

  const after = openStoreAt(url);
  expect(await after.list({})).toEqual(listed);
  expect(await after.readNote("backup-failure")).toBeUndefined();
  expect(await after.accept(numberedApplication(7))).toMatchObject({ outcome: "replayed" });
  expect(await after.accept(numberedApplication(603))).toMatchObject({ outcome: "stored" });
  const sent = listed.find(({ channel }) => channel === "sms")?.applicationId ?? "";
  expect((await after.find(sent))?.messages).toMatchObject([
    { state: "accepted", providerId: "SM1" },
  ]);
  const ids = await runStatement(url, "select max(id) as last from notices");
  expect(ids).toEqual([{ last: 605 }]);
  const sequence = await runStatement(
    url,
    "select nextval(pg_get_serial_sequence('messages', 'id')) > max(id) as goes_on from messages",
  );
  expect(sequence).toEqual([{ goes_on: true }]);
  const { findings } = await examineDatabase(parseConfig({ DATABASE_URL: url }));
  expect(findings).toContainEqual(expect.objectContaining({ level: "ok", topic: "storage" }));
});

test("a store open on PostgreSQL sees the moved rows", async ({ folder, url, store: target }) => {
  await target.probeAcceptance(TEST_NOW);
  const before = openTestStore(fileIn(folder));
  await before.accept(numberedApplication(1));
  await before.close();
  expect((await runMove(folder, url)).code).toBe(0);
  expect(await target.countApplications()).toMatchObject({ waiting: 1 });
});

test("the migration to PostgreSQL refuses the tables of an earlier version", async ({
  folder,
  url,
}) => {
  const site = openTestStore(fileIn(folder));
  await site.accept(numberedApplication(0));
  await site.close();
  {
    using earlier = new DatabaseSync(fileIn(folder));
    earlier.exec(`UPDATE schema_version SET version = ${migrations.length - 1}`);
  }
  const said = expect.stringMatching(/이 버전의 사이트를 시작하면[\s\S]*Nothing was/);
  expect(await runMove(folder, url)).toMatchObject({ code: 1, said });
});

test("the migration to PostgreSQL discards a copy that differs", async ({ folder, url, store }) => {
  const site = openTestStore(fileIn(folder));
  await site.accept(numberedApplication(0));
  await site.close();
  await store.probeAcceptance(TEST_NOW);
  await runStatement(
    url,
    `create function change() returns trigger language plpgsql as $$ begin
      new.name := 'other'; return new; end $$;
    create trigger other before insert on applications for each row execute function change()`,
  );
  const { code, said } = await runMove(folder, url);
  expect([code, said]).toEqual([1, expect.stringMatching(/^The copy of applications differs/)]);
  expect(said).not.toMatch(/ {4}at /);
  expect(await store.countApplications()).toMatchObject({ waiting: 0 });
});

test.for<[where: string, source: number, target: number, said: RegExp]>([
  ["while the site runs on the file", 1, 0, /site is running.*stop it[\s\S]*Nothing was moved/],
  ["into a database that has applications", 2, 1, /already has rows/],
  ["without a database file", 0, 1, /There is no database/],
])("a migration is refused %s", async ([where, source, target, said], { folder, url, store }) => {
  const site = openTestStore(fileIn(folder));
  for (let index = 0; index < source; index++) await site.accept(numberedApplication(index));
  if (!where.includes("runs")) await site.close();
  for (let index = 0; index < target; index++) await store.accept(numberedApplication(index));
  expect(await runMove(folder, url)).toMatchObject({ code: 1, said: expect.stringMatching(said) });
  expect(await store.countApplications()).toMatchObject({ waiting: target });
});
