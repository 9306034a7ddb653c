/** Faults and settings that only PostgreSQL has. vitest.config.ts names the tests that run on both databases. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { examineDatabase } from "#cli/doctor/database.ts";
import { parseConfig } from "#lib/config.ts";
import type { UnavailableReason } from "#lib/storage/errors.ts";
import { openPostgres } from "#lib/storage/postgres/open.ts";
import { POSTGRES_PASSWORD, PostgresServer, runStatement } from "#testing/peers/postgres.ts";
import { openCuttableProxy, openStrictPooler } from "#testing/peers/postgres-proxy.ts";
import { chooseMemoryFolder } from "#testing/storage/memory-folder.ts";
import { createPostgresTest, openStoreAt } from "#testing/storage/own-database.ts";
import { aNewApplication, anApplication } from "#testing/storage/temporary-store.ts";
import {
  catchAcceptError,
  waitUntilAccepted,
  waitUntilDatabaseMissing,
} from "#testing/storage/used-database.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start(chooseMemoryFolder());
});
afterAll(() => server.stop());

const test = createPostgresTest(() => server.url);
const alterDatabase = (url: string, setting: string) =>
  runStatement(url, `alter database ${new URL(url).pathname.slice(1)} set ${setting}`);

test("a killed server is used again after its restart [8]", async ({ url, store }) => {
  await store.accept(aNewApplication({ idempotencyKey: "before" }));
  await server.kill();
  const first = await catchAcceptError(store);
  const later = await catchAcceptError(store);
  for (const error of [first, later]) {
    expect(error).toMatchObject({ name: "StorageUnavailable", reason: "failing" });
  }
  expect(String(later)).toMatch(/서버를 쓸 수 없습니다\..+\(127\.0\.0\.1:\d+\/site_\w+: /);
  expect(JSON.stringify([String(first), String(later)])).not.toContain(POSTGRES_PASSWORD);
  const started = openStoreAt(url);
  expect(await catchAcceptError(started)).toMatchObject({ reason: "failing" });
  await server.startAgain();
  expect(await waitUntilAccepted(store)).toMatchObject({ outcome: "stored" });
  expect(await waitUntilAccepted(started, "before")).toMatchObject({ outcome: "replayed" });
  expect(await store.countApplications()).toMatchObject({ waiting: 2 });
});

test("a database emptied under the running site is not recreated [54]", async ({ url, store }) => {
  await store.accept(aNewApplication());
  await runStatement(url, "drop schema public cascade; create schema public");
  await waitUntilDatabaseMissing(store, "비워졌습니다. 마지막 백업");
  const rows = await runStatement(url, "select to_regclass('applications') as made");
  expect(rows).toEqual([{ made: null }]);
});

test("a server with fsync = off is refused, unless it is Neon's [2]", async ({ url }) => {
  const setFsync = async (change: string, value: string) => {
    await runStatement(server.url, `alter system ${change}`);
    await runStatement(server.url, "select pg_reload_conf()");
    await expect.poll(() => runStatement(server.url, "show fsync")).toEqual([{ fsync: value }]);
  };
  await setFsync("set fsync = off", "off");
  const refused = await catchAcceptError(openStoreAt(url));
  await alterDatabase(url, "neon.timeline_id = 'de200bd42b49cc1814412c7e592dd6e9'");
  const accepted = await openStoreAt(url).accept(aNewApplication());
  await setFsync("reset fsync", "on");
  expect(String(refused)).toMatch(/fsync가 off.*정전.*fsync를 켜고/);
  expect(accepted).toMatchObject({ outcome: "stored" });
});

test("a database that cannot store every character is refused", async () => {
  await runStatement(
    server.url,
    "create database korean template template0 encoding 'EUC_KR' locale 'C'",
  );
  const refused = await catchAcceptError(openStoreAt(server.url.replace(/[^/]*$/, "korean")));
  expect(refused).toMatchObject({ reason: "failing", message: expect.stringMatching(/EUC_KR/) });
});

test.for([
  ["synchronous_commit", "synchronous_commit", "off", "on"],
  ["default_transaction_isolation", "transaction_isolation", "repeatable read", "read committed"],
] as const)(
  "transactions override the database's setting %s [2][4]",
  async ([setting, shown, its, own], { url }) => {
    await alterDatabase(url, `${setting} = '${its}'`);
    expect(await runStatement(url, `show ${shown}`)).toEqual([{ [shown]: its }]);
    const opened = await openPostgres(url, { tables: "migrate" });
    const current = sql`select current_setting(${shown}) as value`;
    const read = await opened.read((kysely) => current.execute(kysely));
    const written = await opened.write((trx) => current.execute(trx));
    await opened.close();
    expect([...read.rows, ...written.rows]).toEqual([{ value: own }, { value: own }]);
  },
);

test.for([
  ["a database that is not there", /\/[^/]*$/, "/nowhere", /3D000: database "nowhere" does not/],
  ["a port where nobody listens", /:\d+\//, ":1/", /ECONNREFUSED/],
  ["a host that has no address", /@[^/]+/, "@nowhere.invalid", /nowhere\.invalid\/.*E[A-Z_]+: /],
  ["a missing certificate", /$/, "?sslmode=verify-full&sslrootcert=/ca.pem", /ENOENT.*ca\.pem/],
  ["a server without TLS", /$/, "?sslmode=verify-full", /does not support SSL/],
  ["a server without a certificate", /$/, "?sslrootcert=system", /does not support SSL/],
] as const)("the store and the doctor report %s in a sentence", async ([, part, instead, said]) => {
  const url = server.url.replace(part, instead);
  const store = openStoreAt(url);
  const error = await catchAcceptError(store);
  expect(error).toMatchObject({ name: "StorageUnavailable", reason: "failing" });
  expect(String(error)).toMatch(said);
  expect(String(error)).not.toContain(POSTGRES_PASSWORD);
  const { findings } = await examineDatabase(parseConfig({ DATABASE_URL: url }));
  expect(findings[0]?.sentence).toContain("DATABASE_URL");
});

test("a connection that answers nothing is replaced [8]", async ({ url }) => {
  await using proxy = await openCuttableProxy(url);
  const [store, another] = [openStoreAt(proxy.url), openStoreAt(proxy.url)];
  await store.accept(aNewApplication({ idempotencyKey: "before" }));
  proxy.cut();
  for (const refused of await Promise.all([catchAcceptError(store), catchAcceptError(another)]))
    expect(refused).toMatchObject({ name: "StorageUnavailable", reason: "failing" });
  proxy.heal();
  expect(await waitUntilAccepted(store)).toMatchObject({ outcome: "stored" });
  expect(await waitUntilAccepted(another, "before")).toMatchObject({ outcome: "replayed" });
});

test("an endless statement is canceled [8]", async ({ url }) => {
  const opened = await openPostgres(url, { tables: "migrate" });
  // Switches off the limit of this process, which could come before the server's if the machine stalls.
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const endless = opened.read((kysely) => sql`select pg_sleep(60)`.execute(kysely));
  await expect(endless).rejects.toMatchObject({
    name: "StorageUnavailable",
    message: expect.stringContaining("57014: canceling statement"),
  });
  await opened.close();
});

test.for<[what: string, statement: string, reason: string]>([
  ["that is read-only, like a standby's", "", "read-only"],
  ["with another program's tables", "create table applications (id int)", "foreign"],
  ["with a newer program's tables", "update schema_version set version = 99", "newer-schema"],
])("a database %s is refused and not changed [55]", async ([, statement, reason], { url }) => {
  if (reason !== "foreign") expect(await waitUntilAccepted(openStoreAt(url))).toBeDefined();
  if (statement) await runStatement(url, statement);
  else await alterDatabase(url, "default_transaction_read_only = on");
  expect(await catchAcceptError(openStoreAt(url))).toMatchObject({ reason });
  const rows = await runStatement(url, "select 1 as one from applications");
  expect(rows).toHaveLength(reason === "foreign" ? 0 : 1);
});

test("the store's clock is that of the database server [9]", async ({ store }) => {
  const right = Date.now();
  const wrong = vi.spyOn(Date, "now").mockReturnValue(right - 400 * 24 * 60 * 60_000);
  await store.countApplications();
  expect(Math.abs(store.now() - right)).toBeLessThan(60_000);
  wrong.mockRestore();
  // Polled, because the store does not compare clocks if an answer takes more than a second.
  await expect
    .poll(() => store.countApplications().then(() => Math.abs(store.now() - Date.now())))
    .toBeLessThan(60_000);
});

test("idle connections that the server closes make no application fail [8]", async ({ url }) => {
  await alterDatabase(url, "idle_session_timeout = 300");
  const store = openStoreAt(url);
  const others = `select 1 as one from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  for (let visitor = 0; visitor < 3; visitor++) {
    await store.accept(aNewApplication({ idempotencyKey: `k${visitor}` }));
    await expect.poll(() => runStatement(url, others)).toEqual([]);
    await store.accept(aNewApplication({ idempotencyKey: `busy${visitor}` }));
    // The wait blocks the process, which then does not notice the end of the connection.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
  }
  await store.accept(aNewApplication());
});

const raisingTrigger = (code: string, message: string) => `
  create function raise_fault() returns trigger language plpgsql as $$ begin
    raise exception '${message}' using errcode = '${code}'; end $$;
  create trigger fault before insert on applications for each row execute function raise_fault()`;

test.for<[code: string, message: string, reason: UnavailableReason, words: RegExp]>([
  ["XX000", "server conn crashed", "failing", /XX000: server conn crashed/],
  ["42501", "permission denied for schema public", "read-only", /DATABASE_URL의 사용자.*42501/],
  ["22001", "too long: 010-1234-5678", "bad-statement", /: 22001\)$/],
  ["23514", "not allowed: 010-1234-5678", "bad-statement", /: 23514\)$/],
  ["ZZ999", "unheard of", "failing", /ZZ999: unheard of/],
])("the error %s (%s) makes the store unavailable (%s) [80]", async (row, { url, store }) => {
  const [code, message, reason, words] = row;
  await store.accept(aNewApplication({ idempotencyKey: "before" }));
  await runStatement(url, raisingTrigger(code, message));
  const refused = await catchAcceptError(store);
  expect(refused).toMatchObject({ name: "StorageUnavailable", reason });
  expect(String(refused)).toMatch(words);
  expect(String(refused)).not.toContain("1234");
  await runStatement(url, "drop function raise_fault cascade");
  expect(await waitUntilAccepted(store)).toMatchObject({ outcome: "stored" });
});

test("a programming error in a transaction does not count as a store fault", async ({ url }) => {
  const opened = await openPostgres(url, { tables: "migrate" });
  const bug = new TypeError("a bug");
  await expect(opened.write(() => Promise.reject(bug))).rejects.toBe(bug);
  await opened.close();
});

test("a URL with a socket folder in its query reaches the server", async ({ url }) => {
  const { username, password, port, pathname } = new URL(url);
  const login = `${username}:${password}`;
  const socket = `postgres://${login}@${pathname}?host=${server.socketFolder}&port=${port}`;
  const store = openStoreAt(socket);
  expect(parseConfig({ DATABASE_URL: socket })).toMatchObject({ databaseUrl: socket });
  expect(await store.accept(aNewApplication())).toMatchObject({ outcome: "stored" });
});

test("a deletion succeeds although its vacuum fails", async ({ url, store }) => {
  const accepted = await store.accept(aNewApplication());
  await store.close();
  for (const slow of ["vacuum_cost_delay = 100", "vacuum_cost_limit = 1"])
    await alterDatabase(url, slow);
  const forgetting = openStoreAt(url).forgetPhone(anApplication().phone);
  const cancel = `select pg_cancel_backend(pid) as done from pg_stat_activity
    where datname = current_database() and query like 'vacuum%' and state = 'active'`;
  await expect.poll(() => runStatement(url, cancel)).toEqual([{ done: true }]);
  const applicationIds = ["applicationId" in accepted && accepted.applicationId];
  expect(await forgetting).toEqual({ applicationIds, underWay: 0, areRowsErased: false });
});

test("a deletion vacuums the tables that had a person's data", async ({ url, store }) => {
  await store.forgetPhone(anApplication().phone);
  const vacuumed = await runStatement(
    url,
    "select relname as name from pg_stat_user_tables where vacuum_count > 0 order by relname",
  );
  const names = ["applications", "messages", "notices"];
  expect(vacuumed).toEqual(names.map((name) => ({ name })));
});

test("a pooler that refuses unknown parameters can be used [8]", async ({ url }) => {
  await using pooler = await openStrictPooler(url);
  const store = openStoreAt(pooler.url);
  expect(await store.accept(aNewApplication())).toMatchObject({ outcome: "stored" });
  expect(await store.countApplications()).toMatchObject({ waiting: 1 });
  const refused = openStoreAt(`${pooler.url}?options=-cgeqo=off`);
  const message = expect.stringMatching(/쓸 수 없습니다\..*08P01: unsupported startup parameter/);
  expect(await catchAcceptError(refused)).toMatchObject({ message });
});
