import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inject, test } from "vitest";
import type { Application } from "#lib/application/fields.ts";
import type { Database } from "#lib/storage/database.ts";
import { createRowLease } from "#lib/storage/postgres/lease.ts";
import { openPostgres } from "#lib/storage/postgres/open.ts";
import { reconnectingDatabase } from "#lib/storage/reconnecting.ts";
import { createFileLease } from "#lib/storage/sqlite/lease.ts";
import { openSqlite } from "#lib/storage/sqlite/open.ts";
import { createStore, type Store } from "#lib/storage/store.ts";
import type { NewApplication } from "#lib/storage/stored-application.ts";
import { EMPTY_APPLICATION } from "#testing/fixtures/nothing-optional.ts";
import { createDatabase, truncateTables } from "#testing/peers/postgres.ts";
import { chooseMemoryFolder } from "#testing/storage/memory-folder.ts";

export interface TemporaryStore extends AsyncDisposable {
  store: Store;
  folder: string;
  /** The file exists only if the tests use SQLite. */
  databaseFile: string;
}

/** The URL of PostgreSQL in this test run; undefined on SQLite. */
const postgresUrl: string | undefined = inject("postgresUrl");

/** Empty databases of finished tests, which are reused because creating a database takes longer than most tests. */
const emptied: string[] = [];

/** `await using` closes the store, deletes its folder and, on PostgreSQL, empties its database for the next test. */
export function openTemporaryStore(newNumber?: () => string): TemporaryStore {
  const folder = mkdtempSync(join(chooseMemoryFolder(), "applications-"));
  const databaseFile = join(folder, "applications.db");
  let taken: Promise<string> | undefined;
  async function open(isReopening: boolean): Promise<Database> {
    if (postgresUrl === undefined)
      return openSqlite(databaseFile, { tables: "migrate", isReopening });
    taken ??= Promise.resolve(emptied.pop() ?? createDatabase(postgresUrl));
    return openPostgres(await taken, { tables: "migrate", isReopening });
  }
  const database = reconnectingDatabase(open);
  const lease = postgresUrl
    ? createRowLease(database)
    : createFileLease(`${databaseFile}.worker`, database);
  const store = createStore(database, lease, newNumber);
  return {
    store,
    folder,
    databaseFile,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
      if (!taken) return;
      const url = await taken;
      await truncateTables(url);
      emptied.push(url);
    },
  };
}

export const testWithStore = test.extend<{
  temporary: TemporaryStore;
  store: Store;
  databaseFile: string;
}>({
  temporary: async ({}, use) => {
    await using temporary = openTemporaryStore();
    await use(temporary);
  },
  store: ({ temporary }, use) => use(temporary.store),
  databaseFile: ({ temporary }, use) => use(temporary.databaseFile),
});

export function anApplication(changes: Partial<Application> = {}): Application {
  return {
    ...EMPTY_APPLICATION,
    name: "홍길동",
    phone: "+821012345678",
    gender: "female",
    age: 32,
    region: "이천",
    preferredDate: "2026-12-01",
    dayType: "weekday",
    timeSlot: "morning",
    carType: "own",
    message: "여성 강사 희망",
    ...changes,
  };
}

export const TEST_NOW = Date.parse("2026-12-01T09:30:00+09:00");

export function aNewApplication(changes: Partial<NewApplication> = {}): NewApplication {
  return {
    route: "sms",
    idempotencyKey: undefined,
    application: anApplication(),
    now: TEST_NOW,
    ...changes,
  };
}

/** Acquires the lease of a worker without channels, so that filed applications stay filed. */
export const acquireTestLease = (store: Store, holder: string) =>
  store.acquireLease({ holder, hasChannel: false });
