/** What several instances of the site on one PostgreSQL know of each other before an application is stored. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { openLimits } from "#lib/intake/limits.ts";
import { inPostgres } from "#lib/intake/windows.ts";
import { openStore } from "#lib/storage/open.ts";
import type { Store } from "#lib/storage/store.ts";
import { administer, createDatabase, dropDatabase } from "#testing/peers/postgres.ts";
import { postgresUrl } from "#testing/temporary-store.ts";

const SETTINGS = {
  addressRequestsPerMinute: 3,
  addressApplicationsPer10Minutes: 4,
  totalApplicationsPerMinute: 100,
};
const ADDRESS = "192.0.2.1";

let url: string;
let store: Store;

beforeEach(async () => {
  url = await createDatabase(postgresUrl ?? "");
  store = openStore({ databaseFile: "", databaseUrl: url });
  await store.counts();
});
afterEach(async () => {
  await store.close();
  await dropDatabase(postgresUrl ?? "", url);
});

async function everythingCounted(): Promise<string> {
  return JSON.stringify(await administer(url, "select * from rate_limits"));
}

test("one address has one ration on all instances together, and lies in no table", async () => {
  const instances = [openLimits(SETTINGS, inPostgres(url)), openLimits(SETTINGS, inPostgres(url))];
  const answers: boolean[] = [];
  for (let round = 0; round < 2; round++) {
    for (const limits of instances) answers.push((await limits.countRequest(ADDRESS)).ok);
  }
  expect(answers).toEqual([true, true, true, false]);
  const applications = await Promise.all(
    [0, 1, 0, 1, 0].map((index) => instances[index]?.countApplication(ADDRESS)),
  );
  expect(applications.filter((allowance) => allowance?.ok)).toHaveLength(4);
  await instances[0]?.takeBackApplication(ADDRESS);
  await instances[0]?.takeBackApplication(ADDRESS);
  expect(await instances[1]?.countApplication(ADDRESS)).toMatchObject({ ok: true });
  expect(await everythingCounted()).not.toContain(ADDRESS);
});

test("counters that are out refuse nobody at once, and each instance counts by itself", async () => {
  const limits = openLimits(SETTINGS, inPostgres("postgres://nobody@127.0.0.1:1/nowhere"));
  const answers: boolean[] = [];
  for (let round = 0; round < 4; round++) answers.push((await limits.countRequest(ADDRESS)).ok);
  expect(answers).toEqual([true, true, true, false]);
});

test("a window ends, also one from before the clock of the database was set back", async () => {
  const counter = inPostgres(url)({ name: "requests", ms: 60_000 });
  const ofWindow = async () => (await counter.add(ADDRESS)).used;
  const moveWindow = (ms: number) =>
    administer(url, `update rate_limits set expire = expire + ${ms}`);
  expect([await ofWindow(), await ofWindow()]).toEqual([1, 2]);
  await moveWindow(-60_000);
  expect([await ofWindow(), await ofWindow()]).toEqual([1, 2]);
  await moveWindow(24 * 60 * 60_000);
  const { used, msLeft } = await counter.add(ADDRESS);
  expect(used).toBe(1);
  expect(msLeft).toBeLessThanOrEqual(60_000);
});
