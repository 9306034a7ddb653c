import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore } from "#lib/storage/open.ts";
import type { Store } from "#lib/storage/store.ts";
import { oneTurn } from "#testing/one-turn.ts";
import {
  administer,
  createDatabase,
  dropDatabase,
  POSTGRES_PASSWORD,
} from "#testing/peers/postgres.ts";
import { aNewApplication, anApplication, postgresUrl, TEST_NOW } from "#testing/temporary-store.ts";

let folder: string;
let databaseFile: string;
let databaseUrl: string;
let open: Store[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "move-"));
  databaseFile = join(folder, "applications.db");
  databaseUrl = await createDatabase(postgresUrl ?? "");
  open = [];
});
afterEach(async () => {
  await Promise.all(open.map((store) => store.close()));
  await dropDatabase(postgresUrl ?? "", databaseUrl);
  rmSync(folder, { recursive: true });
});

function opened(where: { databaseFile: string; databaseUrl?: string }): Store {
  const store = openStore(where);
  open.push(store);
  return store;
}

const NOT_MOVED = ["notes", "schema_version", "worker"];

/** A store with many applications, some of which a provider has, and what goes with them. */
async function fill(store: Store): Promise<void> {
  const newApplications = Array.from({ length: 603 }, (_, index) => {
    const application = anApplication({ name: `O'Brien ${index} 샾 🚗`, message: '첫 "줄"\n둘째' });
    return aNewApplication({ application, idempotencyKey: `k${index}` });
  });
  await Promise.all(newApplications.map((newApplication) => store.accept(newApplication)));
  await oneTurn({ store, folder }, { sms: { outcome: "accepted", providerId: "SM1" } });
  await store.writeNote("backup-failure", { at: TEST_NOW + 1, value: "ENOSPC" });
}

function run() {
  const { stdout, stderr, status } = spawnSync(process.execPath, ["cli/migrate-to-postgres.ts"], {
    env: { ...process.env, DATA_DIR: folder, DATABASE_URL: databaseUrl },
    encoding: "utf8",
  });
  expect(`${stdout}${stderr}`).not.toContain(POSTGRES_PASSWORD);
  return { said: `${stdout}${stderr}`, status };
}

test("everything is there afterwards, and goes on from there", async () => {
  const before = opened({ databaseFile });
  await fill(before);
  const listed = await before.list({});
  await before.close();

  const { said, status } = run();
  expect(status, said).toBe(0);
  expect(said).toMatch(/applications +603 rows\n/);
  expect(said).toMatch(/sends +[1-9]\d* rows/);
  const named = [...said.matchAll(/^(\w+) +\d+ rows/gm)].map(([, table]) => table);
  const tables = await administer(
    databaseUrl,
    "select tablename as table from pg_tables where schemaname = 'public'",
  );
  expect(new Set([...named, ...NOT_MOVED].map((table) => ({ table })))).toEqual(new Set(tables));

  const after = opened({ databaseFile, databaseUrl });
  expect(await after.list({})).toEqual(listed);
  expect(listed.filter(({ carrier }) => carrier === "sms")).not.toHaveLength(0);
  expect(await after.findNote("backup-failure")).toBeUndefined();
  const same = anApplication({ name: "O'Brien 7 샾 🚗", message: '첫 "줄"\n둘째' });
  const again = await after.accept(aNewApplication({ application: same, idempotencyKey: "k7" }));
  expect(again.outcome).toBe("replayed");
  const anew = await after.accept(aNewApplication({ idempotencyKey: "new" }));
  expect(anew.outcome).toBe("stored");
  const [due] = await after.dueJobs({ now: TEST_NOW + 60_000, limit: 1 });
  expect(due?.sends).toMatchObject([{ outcome: "accepted", providerId: "SM1" }]);
  const ids = await administer(databaseUrl, "select max(id) as last from jobs");
  expect(ids).toEqual([{ last: 604 }]);
}, 60_000);

test("it does not begin while the site runs on the file", async () => {
  await opened({ databaseFile }).accept(aNewApplication());
  const { said, status } = run();
  expect(status).toBe(1);
  expect(said).toMatch(/site is running.*stop it[\s\S]*Nothing was moved/);
  expect(await opened({ databaseFile, databaseUrl }).counts(TEST_NOW)).toMatchObject({
    waiting: 0,
  });
});

test("it does not begin into a database that has applications", async () => {
  const before = opened({ databaseFile });
  await before.accept(aNewApplication());
  await before.close();
  await opened({ databaseFile, databaseUrl }).accept(aNewApplication({ idempotencyKey: "other" }));
  expect(run()).toMatchObject({ status: 1, said: expect.stringContaining("already has rows") });
  expect(await administer(databaseUrl, "select 1 as one from applications")).toHaveLength(1);
});

test("a site that runs on the target, and has only probed it, finds everything", async () => {
  const before = opened({ databaseFile });
  await before.accept(aNewApplication());
  await before.close();
  const target = opened({ databaseFile, databaseUrl });
  await target.probeWrite(TEST_NOW);
  expect(run()).toMatchObject({ status: 0, said: expect.stringMatching(/applications +1 rows/) });
  expect(await target.counts(TEST_NOW)).toMatchObject({ waiting: 1 });
});

test("it tells what is missing", async () => {
  expect(run()).toMatchObject({ status: 1, said: expect.stringContaining("There is no database") });
});
