/** A database of PostgreSQL that a test has to itself, and stores on it. */
import { openStore } from "#lib/storage/open.ts";
import type { Store } from "#lib/storage/store.ts";
import { createDatabase, dropDatabase } from "#testing/peers/postgres.ts";

/** A new database; `await using` drops it at the end of the test. */
export async function databaseOn(serverUrl: string) {
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

export const storeAt = (databaseUrl: string) => openStore({ databaseFile: "", databaseUrl });
