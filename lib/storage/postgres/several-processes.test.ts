import { sql } from "kysely";
import { describe, expect, inject, test, vi } from "vitest";
import { migrations } from "#lib/storage/migrations.ts";
import { openPool, openPostgres } from "#lib/storage/postgres/open.ts";
import { databaseOn, refusal, untilAccepted } from "#testing/own-database.ts";
import { administer } from "#testing/peers/postgres.ts";
import { aNewApplication, TEST_NOW } from "#testing/temporary-store.ts";

/** The server of this run of the tests: nothing here ends it, or changes its settings. */
const database = () => databaseOn(inject("postgresUrl"));

describe("several processes on one database", () => {
  test("that start at once take each step of the tables once", async () => {
    await using shared = await database();
    const stores = Array.from({ length: 4 }, () => shared.store());
    const counted = await Promise.all(
      stores.map((store) => vi.waitFor(() => store.counts(), 10_000)),
    );
    expect(counted.map(({ waiting }) => waiting)).toEqual([0, 0, 0, 0]);
    const rows = await administer(shared.url, "select version from schema_version");
    expect(rows).toEqual([{ version: migrations.length }]);
  });

  test("get the same key in the same moment: one row, one number", async () => {
    await using shared = await database();
    const stores = [shared.store(), shared.store(), shared.store()];
    await Promise.all(stores.map((store) => store.counts()));
    for (let round = 0; round < 10; round++) {
      const newApplication = aNewApplication({ idempotencyKey: `k${round}` });
      const answers = await Promise.all(stores.map((store) => store.accept(newApplication)));
      expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual([
        "replayed",
        "replayed",
        "stored",
      ]);
      expect(new Set(answers.map((a) => "applicationId" in a && a.applicationId)).size).toBe(1);
    }
  });

  test("get the same content without a key in the same moment: one row", async () => {
    await using shared = await database();
    const stores = [shared.store(), shared.store(), shared.store()];
    await Promise.all(stores.map((store) => store.counts()));
    const answers = await Promise.all(stores.map((store) => store.accept(aNewApplication())));
    expect(answers.filter(({ outcome }) => outcome === "stored")).toHaveLength(1);
  });

  test("send no more text messages together than the cap, and one alarm", async () => {
    await using shared = await database();
    const stores = [shared.store(), shared.store()];
    const [first] = stores;
    for (let index = 0; index < 8; index++) {
      await first?.accept(aNewApplication({ idempotencyKey: `${index}` }));
    }
    const leased = await Promise.all(
      stores.map((store) => store.leaseDue({ now: TEST_NOW, leaseMs: 60_000, limit: 4 })),
    );
    const caps = { hourly: 3, daily: 3 };
    const beginning = { transport: "sms", recipients: ["+82"], caps, now: TEST_NOW } as const;
    const begun = await Promise.all(
      stores.flatMap((store, index) =>
        (leased[index] ?? []).map((delivery) => store.recordIntent(delivery, beginning)),
      ),
    );
    expect(begun.filter(({ outcome }) => outcome === "recorded")).toHaveLength(3);
    const claims = await Promise.all(
      stores.flatMap((store) =>
        [1, 2, 3].map(() =>
          store.claimAlarm({ subject: "sms", evidenceAt: TEST_NOW, now: TEST_NOW }),
        ),
      ),
    );
    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  test("a lease that has run out is not taken over from one that is just noting its end", async () => {
    await using shared = await database();
    const store = shared.store();
    await store.accept(aNewApplication());
    await store.leaseDue({ now: TEST_NOW, leaseMs: 60_000, limit: 1 });
    const late = openPool(shared.url, { max: 1 });
    await late.query("begin");
    await late.query("update deliveries set state = 'delivered', lease_until = null");
    const leasing = store.leaseDue({ now: TEST_NOW + 60_000, leaseMs: 60_000, limit: 1 });
    await vi.waitFor(async () =>
      expect(
        await administer(
          shared.url,
          "select 1 as one from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        ),
      ).toHaveLength(1),
    );
    await late.query("commit");
    await late.end();
    expect(await leasing).toEqual([]);
    expect(await store.counts()).toMatchObject({ delivered: 1, leased: 0 });
  });

  test("in each other's way do their work again", async () => {
    await using shared = await database();
    const store = shared.store();
    await store.counts();
    // A sequence counts on where a transaction is rolled back.
    await administer(
      shared.url,
      `create sequence tries;
      create function be_in_the_way() returns trigger language plpgsql as $$ begin
        if nextval('tries') < 3 then raise exception 'in the way' using errcode = '40P01'; end if;
        return new;
      end $$;
      create trigger in_the_way before insert on applications
        for each row execute function be_in_the_way()`,
    );
    expect(await store.accept(aNewApplication())).toMatchObject({ outcome: "stored" });
    expect(await store.counts()).toMatchObject({ waiting: 1 });
  });

  test("that wait for a lock for over 2 s are told so, and none holds one for long", async () => {
    await using shared = await database();
    const store = shared.store();
    await store.counts();
    const holder = openPool(shared.url, { max: 1 });
    await holder.query("begin; lock table applications");
    expect(await refusal(store)).toMatchObject({
      reason: "locked",
      message: expect.stringContaining("kept a lock for too long"),
    });
    await holder.query("rollback");
    await holder.end();
    expect(await store.accept(aNewApplication())).toMatchObject({ outcome: "stored" });
    const opened = await openPostgres(shared.url);
    const { rows } = await opened.read((kysely) =>
      sql`show idle_in_transaction_session_timeout`.execute(kysely),
    );
    await opened.close();
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: "5s" }]);
  });

  test("one that stands still in the middle of its work holds the others up for seconds only", async () => {
    await using shared = await database();
    const store = shared.store();
    await store.counts();
    const stalled = administer(
      shared.url,
      "set idle_in_transaction_session_timeout = 500; begin; select pg_advisory_xact_lock(1685219702, 2)",
      { stays: true },
    );
    await stalled;
    const took = await untilAccepted(store);
    expect(took).toMatchObject({ outcome: "stored" });
  });
});
