/** What the connections to PostgreSQL stand, on the server of this run of the tests: nothing here ends it. */
import { expect, inject, test, vi } from "vitest";
import { databaseOn, storeAt } from "#testing/own-database.ts";
import { strictPooler } from "#testing/peers/line.ts";
import { administer } from "#testing/peers/postgres.ts";
import { aNewApplication, anApplication, TEST_NOW } from "#testing/temporary-store.ts";
import { refusal } from "#testing/used-database.ts";

const database = () => databaseOn(inject("postgresUrl"));

test("the clock is the server's, whatever this host's shows", async () => {
  await using shared = await database();
  const store = shared.store();
  const right = Date.now();
  const wrong = vi.spyOn(Date, "now").mockReturnValue(right - 400 * 24 * 60 * 60_000);
  await store.counts(TEST_NOW);
  expect(Math.abs(store.now() - right)).toBeLessThan(60_000);
  wrong.mockRestore();
  // A second's difference is the way there and back.
  await store.counts(TEST_NOW);
  expect(Math.abs(store.now() - Date.now())).toBeLessThan(1_000);
});

test("a server that ends connections that are idle: no visitor learns of it", async () => {
  await using shared = await database();
  const name = new URL(shared.url).pathname.slice(1);
  await administer(shared.url, `alter database ${name} set idle_session_timeout = 150`);
  const store = shared.store();
  const others = `select 1 as one from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  for (let visitor = 0; visitor < 3; visitor++) {
    await store.accept(aNewApplication({ idempotencyKey: `k${visitor}` }));
    await expect.poll(() => administer(shared.url, others)).toEqual([]);
  }
});

test("what was deleted cannot be cleared away: the deletion is told all the same", async () => {
  await using shared = await database();
  const store = shared.store();
  const accepted = await store.accept(aNewApplication());
  await store.close();
  const name = new URL(shared.url).pathname.slice(1);
  for (const slow of ["vacuum_cost_delay = 100", "vacuum_cost_limit = 1"]) {
    await administer(shared.url, `alter database ${name} set ${slow}`);
  }
  const forgetting = shared.store().forgetPhone(anApplication().phone);
  const cancel = `select pg_cancel_backend(pid) as done from pg_stat_activity
    where datname = current_database() and query like 'vacuum%' and state = 'active'`;
  await expect.poll(() => administer(shared.url, cancel)).toEqual([{ done: true }]);
  const applicationIds = ["applicationId" in accepted && accepted.applicationId];
  expect(await forgetting).toEqual({ applicationIds, underWay: 0, journalPurged: false });
});

test("a pooler that refuses what it does not know", async () => {
  await using shared = await database();
  await using pooler = await strictPooler(shared.url);
  const store = storeAt(pooler.url);
  expect(await store.accept(aNewApplication())).toMatchObject({ outcome: "stored" });
  expect(await store.counts(TEST_NOW)).toMatchObject({ waiting: 1 });
  await store.close();
  const refused = storeAt(`${pooler.url}?options=-cgeqo=off`);
  expect(await refusal(refused)).toMatchObject({
    message: expect.stringMatching(/cannot be used: .*\(08P01: unsupported startup parameter/),
  });
  await refused.close();
});
