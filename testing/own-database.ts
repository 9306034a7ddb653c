/** A database of PostgreSQL that a test has to itself, and stores on it. */
import { test } from "vitest";
import { openStore } from "#lib/storage/open.ts";
import type { Store } from "#lib/storage/store.ts";
import { createDatabase, dropDatabase } from "#testing/peers/postgres.ts";

/** A new database; `await using` drops it at the end of the test. */
async function databaseOn(serverUrl: string) {
  const url = await createDatabase(serverUrl);
  const open: Store[] = [];
  return {
    url,
    store(): Store {
      const store = openStore({ databaseFile: "", databaseUrl: url });
      open.push(store);
      return store;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(open.map((store) => store.close()));
      await dropDatabase(serverUrl, url);
    },
  };
}

/** Tests with a new database on a server, and a store on it. */
export const withDatabase = (serverUrl: () => string) =>
  test.extend<{ shared: Awaited<ReturnType<typeof databaseOn>>; store: Store }>({
    shared: async ({}, use) => {
      await using shared = await databaseOn(serverUrl());
      await use(shared);
    },
    store: ({ shared }, use) => use(shared.store()),
  });

export const storeAt = (databaseUrl: string) => openStore({ databaseFile: "", databaseUrl });
