import { readFileSync, writeFileSync } from "node:fs";
import { expect, onTestFinished, vi } from "vitest";
import { openStore } from "#lib/storage/open.ts";
import type { Store } from "#lib/storage/store.ts";
import {
  aNewApplication,
  anApplication,
  openTemporaryStore,
} from "#testing/storage/temporary-store.ts";

const PAGE_BYTES = 4_096;

/** A new store on a database that already has one application, as after a restart. */
export async function makeUsedDatabase() {
  const temporary = openTemporaryStore();
  await temporary.store.accept(aNewApplication({ idempotencyKey: "before" }));
  await temporary.store.close();
  const store = openStore({ databaseFile: temporary.databaseFile }, "migrate");
  return {
    ...temporary,
    store,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

export const catchAcceptError = (store: Store) =>
  store.accept(aNewApplication({ idempotencyKey: "new" })).then(
    () => undefined,
    (error: unknown) => error,
  );

/** A server's store that is closed at the end of its test. */
export function openTestStore(databaseFile: string, databaseUrl?: string): Store {
  const store = openStore({ databaseFile, databaseUrl }, "migrate");
  onTestFinished(() => store.close());
  return store;
}

/** Waits until the store reports that its database is missing, with this message. */
export const waitUntilDatabaseMissing = (store: Store, message: string) =>
  expect
    .poll(() => catchAcceptError(store))
    .toMatchObject({ reason: "missing", message: expect.stringContaining(message) });

/** Waits until the store accepts an application. After a failed opening, the store opens nothing for a second. */
export const waitUntilAccepted = (store: Store, idempotencyKey = "new") =>
  vi.waitFor(() => store.accept(aNewApplication({ idempotencyKey })), {
    timeout: 60_000,
    interval: 50,
  });

/** Stores enough applications for a database of many pages. */
export async function growDatabase(store: Store): Promise<void> {
  const application = anApplication({ message: "가".repeat(1_000) });
  for (let index = 0; index < 50; index++)
    await store.accept(aNewApplication({ application, idempotencyKey: `${index}` }));
}

/** Damages the header of a page in the middle of the file, because SQLite cannot detect damaged content. */
export function damagePage(databaseFile: string): void {
  const bytes = readFileSync(databaseFile);
  const page = Math.floor(bytes.length / 2 / PAGE_BYTES) * PAGE_BYTES;
  writeFileSync(databaseFile, bytes.fill(0xff, page, page + 64));
}
