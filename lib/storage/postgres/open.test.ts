/** What only PostgreSQL does: its faults, its settings, several processes. What both do is in the other tests. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { inspectDatabase } from "#lib/storage/inspect.ts";
import { migrations } from "#lib/storage/migrations.ts";
import { openStore } from "#lib/storage/open.ts";
import { openPool, openPostgres } from "#lib/storage/postgres/open.ts";
import type { Store } from "#lib/storage/store.ts";
import { folderInMemory } from "#testing/folder-in-memory.ts";
import {
  administer,
  createDatabase,
  dropDatabase,
  POSTGRES_PASSWORD,
  PostgresServer,
} from "#testing/peers/postgres.ts";
import { aNewApplication, TEST_NOW } from "#testing/temporary-store.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start(folderInMemory());
}, 60_000);
afterAll(() => server.stop());

/** A new database; `await using` drops it at the end of the test. */
async function database() {
  const url = await createDatabase(server.url);
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
      await dropDatabase(server.url, url);
    },
  };
}

/** A line to the server which, once cut, carries nothing and never says so: a cable, or a firewall's lost memory. */
async function lineTo(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let cut = false;
  const relay = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("error", () => undefined);
      from.on("data", (data) => to.write(data));
      from.on("close", () => to.destroy());
      if (cut) from.pause();
    }
  });
  await once(relay.listen(0, "127.0.0.1"), "listening");
  const address = relay.address();
  const through = new URL(url);
  through.port = String(typeof address === "object" ? address?.port : undefined);
  return {
    url: through.href,
    cut: () => {
      cut = true;
      for (const socket of sockets) socket.pause();
    },
    /** For connections that begin from now on. */
    mend: () => {
      cut = false;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => relay.close(resolve));
    },
  };
}

const storeAt = (databaseUrl: string) => openStore({ databaseFile: "", databaseUrl });

const STATISTICS = z.tuple([z.object({ rows: z.int() })]);

const refusal = (store: Store) =>
  store.accept(aNewApplication({ idempotencyKey: "new" })).then(
    () => undefined,
    (error: unknown) => error,
  );

const untilAccepted = (store: Store, idempotencyKey = "new") =>
  vi.waitFor(() => store.accept(aNewApplication({ idempotencyKey })), {
    timeout: 10_000,
    interval: 50,
  });

test("leasing does not go through everything that was ever delivered", async () => {
  await using shared = await database();
  const store = storeAt(shared.url);
  await store.counts();
  const [delivered, waiting] = [20_000, 500];
  await administer(
    shared.url,
    `insert into applications (application_id, channel, submitted_at, content_hash, name, phone, gender,
       age, region, preferred_date, day_type, time_slot, car_type, message)
     select lpad(n::text, 8, '0'), 'mail', n, '', '', '', '', 30, '', '', '', '', '', ''
       from generate_series(1, ${delivered + waiting}) n`,
  );
  await administer(
    shared.url,
    `insert into deliveries (application_id, state, next_attempt_at)
     select application_id, case when submitted_at > ${delivered} then 'waiting' else 'delivered' end, 0
       from applications order by submitted_at`,
  );
  await administer(shared.url, "analyze");
  const rowsRead = async () => {
    const [row] = STATISTICS.parse(
      await administer(
        shared.url,
        `select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_user_tables where relname = 'deliveries'`,
      ),
    );
    return row.rows;
  };
  const before = await rowsRead();
  const leased = await store.leaseDue({ now: TEST_NOW, leaseMs: 60_000, limit: 8 });
  expect(leased).toHaveLength(8);
  // A connection that ends hands its statistics in.
  await store.close();
  await vi.waitFor(async () => expect(await rowsRead()).toBeGreaterThan(before), 10_000);
  expect((await rowsRead()) - before).toBeLessThan(delivered / 2);
});

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

  test("one that starts leaves the leases of another that lives, and takes over those of the dead", async () => {
    await using shared = await database();
    const living = shared.store();
    await living.accept(aNewApplication());
    await living.leaseDue({ now: TEST_NOW, leaseMs: 60_000, limit: 1 });
    const next = shared.store();
    expect(await next.releaseLeases(TEST_NOW)).toEqual([]);
    await living.close();
    expect(await next.releaseLeases(TEST_NOW)).toHaveLength(1);
  });

  test("one whose sign of life was cut is seen again, and keeps its leases", async () => {
    await using shared = await database();
    const living = shared.store();
    await living.accept(aNewApplication());
    await living.leaseDue({ now: TEST_NOW, leaseMs: 60_000, limit: 1 });
    const signs = `pg_locks where locktype = 'advisory' and objid = 4 and granted
      and database = (select oid from pg_database where datname = current_database())`;
    const cut = await administer(
      shared.url,
      `select pg_terminate_backend(pid, 5000) from ${signs}`,
    );
    expect(cut).toHaveLength(1);
    await vi.waitFor(
      async () => {
        await living.counts();
        expect(await administer(shared.url, `select 1 as one from ${signs}`)).toHaveLength(1);
      },
      { timeout: 10_000, interval: 50 },
    );
    expect(await shared.store().releaseLeases(TEST_NOW)).toEqual([]);
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

describe("the server", () => {
  test("is killed and comes back: the store is out with a sentence, and then goes on by itself", async () => {
    await using shared = await database();
    const store = shared.store();
    await store.accept(aNewApplication({ idempotencyKey: "before" }));
    await server.kill();
    const first = await refusal(store);
    const later = await refusal(store);
    for (const error of [first, later]) {
      expect(error).toMatchObject({ name: "StorageUnavailable", reason: "failing" });
    }
    expect(String(later)).toMatch(/PostgreSQL server 127\.0\.0\.1:\d+\/site_\w+ cannot be reached/);
    expect(JSON.stringify([String(first), String(later)])).not.toContain(POSTGRES_PASSWORD);
    await server.startAgain();
    expect(await untilAccepted(store)).toMatchObject({ outcome: "stored" });
    expect(await untilAccepted(store, "before")).toMatchObject({ outcome: "replayed" });
    expect(await store.counts()).toMatchObject({ waiting: 2 });
  });

  test("is down at the start and comes up later", async () => {
    await using shared = await database();
    await server.kill();
    const store = shared.store();
    expect(await refusal(store)).toMatchObject({ name: "StorageUnavailable" });
    await server.startAgain();
    expect(await untilAccepted(store)).toMatchObject({ outcome: "stored" });
  });

  test("ends a connection in the middle of storing: the visitor's second try gets one row", async () => {
    await using shared = await database();
    const store = shared.store();
    await store.counts();
    const administrator = openPool(shared.url, { max: 1 });
    const end = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    await administrator.query("select 1");
    let refused = 0;
    for (let round = 0; round < 20; round++) {
      const newApplication = aNewApplication({ idempotencyKey: `k${round}` });
      const accepted = store.accept(newApplication).catch(() => {
        refused += 1;
      });
      await pause(round % 5);
      await administrator.query(end);
      await accepted;
      await untilAccepted(store, `k${round}`);
    }
    await administrator.end();
    expect(refused).toBeGreaterThan(0);
    // The last cut may be heard only now.
    const { waiting } = await vi.waitFor(() => store.counts(), { timeout: 10_000, interval: 50 });
    expect(waiting).toBe(20);
  });

  test("is not begun anew when it is emptied under the running site", async () => {
    await using shared = await database();
    const store = shared.store();
    await store.accept(aNewApplication());
    await administer(shared.url, "drop schema public cascade; create schema public");
    await expect
      .poll(() => refusal(store), { timeout: 10_000 })
      .toMatchObject({ reason: "missing", message: expect.stringContaining("Another database") });
    expect(await administer(shared.url, "select to_regclass('applications') as made")).toEqual([
      { made: null },
    ]);
  });

  test("is refused when another program has tables of our names in it", async () => {
    await using shared = await database();
    await administer(shared.url, "create table applications (id int)");
    expect(await refusal(shared.store())).toMatchObject({ reason: "foreign" });
  });

  test("is looked at by the doctor without a change", async () => {
    await using shared = await database();
    const settings = { databaseFile: "", databaseUrl: shared.url };
    expect(await inspectDatabase(settings)).toBeUndefined();
    expect(await administer(shared.url, "select to_regclass('schema_version') as made")).toEqual([
      { made: null },
    ]);
    await shared.store().accept(aNewApplication());
    expect(await inspectDatabase(settings)).toEqual({ stepsBehind: 0, newestAt: TEST_NOW });
    await administer(shared.url, "update schema_version set version = 999");
    await expect(inspectDatabase(settings)).rejects.toMatchObject({ reason: "newer-schema" });
  });

  test("that would lose commits at a power cut is refused", async () => {
    await administer(server.url, "alter system set fsync = off");
    await administer(server.url, "select pg_reload_conf()");
    try {
      await using shared = await database();
      await vi.waitFor(async () =>
        expect(await administer(shared.url, "show fsync")).toEqual([{ fsync: "off" }]),
      );
      expect(await refusal(shared.store())).toMatchObject({
        message: expect.stringMatching(/fsync = off.*power cut.*Turn fsync on/),
      });
    } finally {
      await administer(server.url, "alter system reset fsync");
      await administer(server.url, "select pg_reload_conf()");
      await vi.waitFor(async () =>
        expect(await administer(server.url, "show fsync")).toEqual([{ fsync: "on" }]),
      );
    }
  });

  test("that answers a commit before it is on disk is told to wait for the disk", async () => {
    await using shared = await database();
    const name = new URL(shared.url).pathname.slice(1);
    await administer(shared.url, `alter database ${name} set synchronous_commit = off`);
    const others = await administer(shared.url, "show synchronous_commit");
    expect(others).toEqual([{ synchronous_commit: "off" }]);
    const opened = await openPostgres(shared.url);
    const own = await opened.read((kysely) => sql`show synchronous_commit`.execute(kysely));
    await opened.close();
    expect(own.rows).toEqual([{ synchronous_commit: "on" }]);
  });

  const faults = [
    ["a database that does not exist", /\/[^/]*$/, "/nowhere", /no such database.*DATABASE_URL/],
    ["a port where nobody listens", /:\d+\//, ":1/", /cannot be reached/],
    ["a host that has no address", /@[^/]+/, "@nowhere.invalid", /cannot be reached/],
  ] as const;
  test.each(faults)("%s is told in a sentence", async (_name, part, instead, sentence) => {
    const store = storeAt(server.url.replace(part, instead));
    const error = await refusal(store);
    expect(error).toMatchObject({ name: "StorageUnavailable" });
    expect(String(error)).toMatch(sentence);
    expect(String(error)).not.toContain(POSTGRES_PASSWORD);
    await store.close();
  });

  test("that takes a connection and says nothing is given up", async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket.on("error", () => undefined)));
    await once(silent.listen(0, "127.0.0.1"), "listening");
    const address = silent.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const store = storeAt(`postgres://nobody@127.0.0.1:${port}/nowhere`);
    expect(String(await refusal(store))).toMatch(/cannot be reached/);
    await store.close();
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  test("that falls silent is given up, and used again once it can be reached", async () => {
    await using shared = await database();
    await using line = await lineTo(shared.url);
    const store = storeAt(line.url);
    await store.accept(aNewApplication({ idempotencyKey: "before" }));
    line.cut();
    const refused = await Promise.race([refusal(store), pause(12_000, "no answer")]);
    expect(refused).toMatchObject({ name: "StorageUnavailable" });
    line.mend();
    expect(await untilAccepted(store)).toMatchObject({ outcome: "stored" });
    expect(await untilAccepted(store, "before")).toMatchObject({ outcome: "replayed" });
    await store.close();
  }, 40_000);

  test("that does not come to the end of a statement is given up", async () => {
    await using shared = await database();
    const opened = await openPostgres(shared.url);
    const endless = opened.read((kysely) => sql`select pg_sleep(60)`.execute(kysely));
    await expect(endless).rejects.toMatchObject({
      name: "StorageUnavailable",
      message: expect.stringContaining("took too long for a statement"),
    });
    await opened.close();
  });

  test("that has become a standby takes nothing, and the sentence names the cure", async () => {
    await using shared = await database();
    const name = new URL(shared.url).pathname.slice(1);
    const store = shared.store();
    await store.counts();
    await store.close();
    await administer(server.url, `alter database ${name} set default_transaction_read_only = on`);
    expect(await refusal(shared.store())).toMatchObject({
      reason: "read-only",
      message: expect.stringContaining("primary"),
    });
  });
});

test("a newer program's tables are refused and left alone", async () => {
  await using shared = await database();
  const store = shared.store();
  await store.accept(aNewApplication());
  await store.close();
  await administer(shared.url, "update schema_version set version = 99");
  expect(await refusal(shared.store())).toMatchObject({ reason: "newer-schema" });
  expect(await administer(shared.url, "select 1 as one from applications")).toHaveLength(1);
});
