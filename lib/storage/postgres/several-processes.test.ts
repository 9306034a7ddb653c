import { sql } from "kysely";
import { Pool } from "pg";
import { expect, inject } from "vitest";
import { migrations } from "#lib/storage/migrations.ts";
import { openPostgres } from "#lib/storage/postgres/open.ts";
import type { Store } from "#lib/storage/store.ts";
import { runStatement } from "#testing/peers/postgres.ts";
import { createPostgresTest, openStoreAt } from "#testing/storage/own-database.ts";
import {
  acquireTestLease,
  aNewApplication,
  anApplication,
} from "#testing/storage/temporary-store.ts";
import { catchAcceptError } from "#testing/storage/used-database.ts";

/** The PostgreSQL server is shared by test files, so no test in this file stops or changes the server. */
const test = createPostgresTest(() => inject("postgresUrl"));

test("processes that start together run each migration once [9]", async ({ url }) => {
  const stores = Array.from({ length: 4 }, () => openStoreAt(url));
  const counted = (store: Store) => expect.poll(() => store.countApplications());
  await Promise.all(stores.map((store) => counted(store).toMatchObject({ waiting: 0 })));
  const rows = await runStatement(url, "select version from schema_version");
  expect(rows).toEqual([{ version: migrations.length }]);
});

test.for([true, false])(
  "simultaneous repeats store one application (with a key: %s) [4]",
  async (withKey, { url }) => {
    const stores = [openStoreAt(url), openStoreAt(url), openStoreAt(url)];
    await Promise.all(stores.map((store) => store.countApplications()));
    for (let round = 0; round < 5; round++) {
      const application = anApplication({ name: `홍길동${round}` });
      const idempotencyKey = withKey ? `k${round}` : undefined;
      const newApplication = aNewApplication({ application, idempotencyKey });
      const answers = await Promise.all(stores.map((store) => store.accept(newApplication)));
      const outcomes = answers.map(({ outcome }) => outcome).toSorted();
      expect(outcomes).toEqual(["replayed", "replayed", "stored"]);
      expect(new Set(answers.map((a) => "applicationId" in a && a.applicationId)).size).toBe(1);
    }
  },
);

test("only one process at a time has the lease [9]", async ({ url }) => {
  const stores = [openStoreAt(url), openStoreAt(url), openStoreAt(url)];
  const hold = () => Promise.all(stores.map((store, index) => acquireTestLease(store, `${index}`)));
  const held = await hold();
  expect(held.toSorted()).toEqual(["acquired", "held-by-another", "held-by-another"]);
  const holder = held.indexOf("acquired");
  await stores[holder]?.releaseLease(`${holder}`);
  expect((await hold()).toSorted()).toEqual(["acquired", "held-by-another", "held-by-another"]);
});

test.for<[what: string, answer: string, ago: number, renews: boolean]>([
  ["renewed 15 s ago is kept from another worker", "held-by-another", 15, false],
  ["not renewed for 25 s goes to another worker", "acquired", 25, false],
  ["renewed twice, 15 s apart, is kept from another worker", "held-by-another", 15, true],
  ["whose time lies an hour ahead goes to another worker", "acquired", -3_600, false],
])("a lease %s", async ([, answer, ago, renews], { url, store }) => {
  await acquireTestLease(store, "one");
  for (let times = renews ? 2 : 1; times > 0; times--) {
    await runStatement(url, `update worker set seen_at = seen_at - ${ago} * 1000`);
    if (times > 1) expect(await acquireTestLease(store, "one")).toBe("kept");
  }
  expect(await acquireTestLease(store, "another")).toBe(answer);
  expect(await acquireTestLease(store, "third")).toBe("held-by-another");
});

test("a worker with channels takes the lease of one without", async ({ url }) => {
  const [filing, sending] = [openStoreAt(url), openStoreAt(url)];
  const hasChannel = true;
  expect(await acquireTestLease(filing, "filing")).toBe("acquired");
  expect(await sending.acquireLease({ holder: "sending", hasChannel })).toBe("acquired");
  expect(await acquireTestLease(filing, "filing")).toBe("held-by-another");
  expect(await filing.acquireLease({ holder: "third", hasChannel })).toBe("held-by-another");
});

test("a worker that lost its lease changes nothing [11]", async ({ url, store }) => {
  await acquireTestLease(store, "late");
  await runStatement(url, "update worker set seen_at = 0");
  await acquireTestLease(store, "next");
  expect(await store.asHolder("late", async () => "changed")).toBeUndefined();
  expect(await store.asHolder("next", async () => "changed")).toBe("changed");
});

test("conflicting transactions are repeated", async ({ url, store }) => {
  await store.countApplications();
  // A sequence counts the tries, because a rollback does not reset a sequence.
  await runStatement(
    url,
    `create sequence tries;
    create function be_in_the_way() returns trigger language plpgsql as $$ begin
      if nextval('tries') < 3 then raise exception 'in the way' using errcode = '40P01'; end if;
      return new;
    end $$;
    create trigger in_the_way before insert on applications
      for each row execute function be_in_the_way()`,
  );
  expect(await store.accept(aNewApplication())).toMatchObject({ outcome: "stored" });
  expect(await store.countApplications()).toMatchObject({ waiting: 1 });
});

test("a long wait for a lock ends with StorageUnavailable", async ({ url, store }) => {
  await store.countApplications();
  const holder = new Pool({ connectionString: url, max: 1 });
  await holder.query("begin; lock table applications");
  expect(await catchAcceptError(store)).toMatchObject({
    reason: "locked",
    message: expect.stringMatching(/다른 작업이 끝나지 않아.+55P03/),
  });
  await holder.query("rollback");
  await holder.end();
  expect(await store.accept(aNewApplication())).toMatchObject({ outcome: "stored" });
  const opened = await openPostgres(url, { tables: "migrate" });
  const { rows } = await opened.read((kysely) =>
    sql`show idle_in_transaction_session_timeout`.execute(kysely),
  );
  await opened.close();
  expect(rows).toEqual([{ idleInTransactionSessionTimeout: "5s" }]);
});
