/** What several instances of the site on one PostgreSQL know of each other before an application is stored. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FormResult, formResult, keepFormResult } from "#lib/intake/form-results.ts";
import { inPostgres, openLimits } from "#lib/intake/limits.ts";
import { processGlobals } from "#lib/process-globals.ts";
import { openStore } from "#lib/storage/open.ts";
import { openPool } from "#lib/storage/postgres/open.ts";
import type { Store } from "#lib/storage/store.ts";
import { createDatabase, dropDatabase, postgresUrl } from "#testing/temporary-store.ts";

const SETTINGS = {
  addressRequestsPerMinute: 3,
  addressApplicationsPer10Minutes: 4,
  totalApplicationsPerMinute: 100,
};
const ADDRESS = "192.0.2.1";
const RESULT: FormResult = {
  kind: "refused",
  form: "contact",
  message: "",
  errors: { age: ["18세부터 신청할 수 있습니다."] },
  values: { name: "나누어본사람" },
};

let url: string;
let stores: [Store, Store];

beforeEach(async () => {
  url = await createDatabase(postgresUrl ?? "");
  const open = () => openStore({ databaseFile: "", databaseUrl: url });
  stores = [open(), open()];
  await stores[0].counts();
});
afterEach(async () => {
  delete processGlobals.formResults;
  await Promise.all(stores.map((store) => store.close()));
  await dropDatabase(postgresUrl ?? "", url);
});

async function everythingStored(): Promise<string> {
  const pool = openPool(url, { max: 1 });
  const tables = ["rate_limits", "form_results"].map(async (table) => {
    return (await pool.query(`select * from ${table}`)).rows;
  });
  return JSON.stringify(await Promise.all(tables).finally(() => pool.end()));
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
  expect(await everythingStored()).not.toContain(ADDRESS);
});

test("counters that are out refuse nobody at once, and each instance counts by itself", async () => {
  const limits = openLimits(SETTINGS, inPostgres("postgres://nobody@127.0.0.1:1/nowhere"));
  const answers: boolean[] = [];
  for (let round = 0; round < 4; round++) answers.push((await limits.countRequest(ADDRESS)).ok);
  expect(answers).toEqual([true, true, true, false]);
});

test("an instance shows what another has answered a form with, which lies there sealed", async () => {
  const token = await keepFormResult(RESULT, stores[0]);
  delete processGlobals.formResults;
  expect(await formResult(token, stores[1])).toEqual(RESULT);
  expect(await formResult(`${token.slice(1)}A`, stores[1])).toBeUndefined();
  const stored = await everythingStored();
  expect(stored).toContain("sealed");
  expect(stored).not.toContain("나누어본사람");
  expect(stored).not.toContain(token);
});

test("it is gone after half an hour, and a flood keeps no more than 500", async () => {
  let now = Date.parse("2026-12-01T09:30:00+09:00");
  const token = await keepFormResult(RESULT, stores[0], () => now);
  delete processGlobals.formResults;
  now += 30 * 60_000;
  expect(await formResult(token, stores[1], () => now)).toBeUndefined();
  const flood = Array.from({ length: 520 }, (_, index) => {
    const row = { tokenHash: `${index}`, sealed: "x", expiresAt: now + 1_000 + index };
    return stores[0].keepSealed(row, now);
  });
  await Promise.all(flood);
  await stores[0].keepSealed({ tokenHash: "last", sealed: "x", expiresAt: now + 9_000 }, now);
  expect(JSON.parse(await everythingStored())[1]).toHaveLength(500);
});

test("a database that is out still lets the instance that answered show it", async () => {
  const out = openStore({ databaseFile: "", databaseUrl: "postgres://nobody@127.0.0.1:1/nowhere" });
  const token = await keepFormResult(RESULT, out);
  expect(await formResult(token, out)).toBe(RESULT);
  delete processGlobals.formResults;
  expect(await formResult(token, out)).toBeUndefined();
  await out.close();
});
