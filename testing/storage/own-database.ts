/** Gives a test its own PostgreSQL database, and stores on it. */
import { test } from "vitest";
import type { Store } from "#lib/storage/store.ts";
import { createDatabase, dropDatabase } from "#testing/peers/postgres.ts";
import { openTestStore } from "#testing/storage/used-database.ts";

export const createPostgresTest = (serverUrl: () => string) =>
  test.extend<{ url: string; store: Store }>({
    url: async ({}, use) => {
      const url = await createDatabase(serverUrl());
      await use(url);
      await dropDatabase(serverUrl(), url);
    },
    store: ({ url }, use) => use(openStoreAt(url)),
  });

export const openStoreAt = (databaseUrl: string) => openTestStore("", databaseUrl);
