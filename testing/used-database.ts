/** The database of a site that has run before, and what its store says to the next application. */
import { expect, vi } from "vitest";
import { openStore } from "#lib/storage/open.ts";
import type { Store } from "#lib/storage/store.ts";
import { aNewApplication, temporaryStore } from "#testing/temporary-store.ts";

/** A closed database that holds one application, as it lies there when the site starts. */
export async function usedDatabase() {
  const temporary = temporaryStore();
  await temporary.store.accept(aNewApplication({ idempotencyKey: "before" }));
  await temporary.store.close();
  const store = openStore({ databaseFile: temporary.databaseFile });
  return {
    ...temporary,
    store,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

export const refusal = (store: Store) =>
  store.accept(aNewApplication({ idempotencyKey: "new" })).then(
    () => undefined,
    (error: unknown) => error,
  );

/** A store that closes at the end of its test. */
export function opened(databaseFile: string): Store & AsyncDisposable {
  const store = openStore({ databaseFile });
  return { ...store, [Symbol.asyncDispose]: () => store.close() };
}

/** An opening is tried again after a second; until then the first refusal is told. */
export const untilRefused = (store: Store, message: string) =>
  expect
    .poll(() => refusal(store))
    .toMatchObject({ reason: "missing", message: expect.stringContaining(message) });

/** A refused opening is remembered for a second. */
export const untilAccepted = (store: Store, idempotencyKey = "new") =>
  vi.waitFor(() => store.accept(aNewApplication({ idempotencyKey })), {
    timeout: 10_000,
    interval: 50,
  });
