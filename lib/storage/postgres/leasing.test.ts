import { expect, inject, test, vi } from "vitest";
import { z } from "zod";
import { databaseOn, storeAt } from "#testing/own-database.ts";
import { administer } from "#testing/peers/postgres.ts";
import { TEST_NOW } from "#testing/temporary-store.ts";

/** The server of this run of the tests: nothing here ends it, or changes its settings. */
const database = () => databaseOn(inject("postgresUrl"));

const STATISTICS = z.tuple([z.object({ rows: z.int() })]);

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
