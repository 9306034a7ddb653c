import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import {
  aNewApplication,
  anApplication,
  TEST_NOW,
  testWithStore as test,
} from "#testing/storage/temporary-store.ts";

const change = (databaseFile: string, statement: string) => {
  using database = new DatabaseSync(databaseFile);
  database.exec(statement);
};
const refusalTrigger = (table: string, condition = "true") =>
  `CREATE TRIGGER refusal BEFORE INSERT ON ${table} WHEN ${condition}
  BEGIN SELECT RAISE(ABORT, 'not today'); END`;

test("a probe leaves one small note in the store, and no application", async ({
  store,
  databaseFile,
}) => {
  await store.probeAcceptance(TEST_NOW);
  const { size } = statSync(`${databaseFile}-wal`);
  await store.probeAcceptance(TEST_NOW + 1);
  expect(statSync(`${databaseFile}-wal`).size - size).toBeLessThan(2 * 4_200);
  expect(await store.readNote("write-probe")).toEqual({ at: TEST_NOW + 1, value: "" });
  expect(await store.list({})).toEqual([]);
  expect(await store.countApplications()).toMatchObject({ waiting: 0 });
});

test.for(["applications", "notices"])(
  "the probe fails while the table %s refuses inserts [92]",
  async (table, { store, databaseFile }) => {
    await store.probeAcceptance(TEST_NOW);
    change(databaseFile, refusalTrigger(table));
    await expect(store.probeAcceptance(TEST_NOW)).rejects.toThrow("not today");
    change(databaseFile, "DROP TRIGGER refusal");
    await store.probeAcceptance(TEST_NOW);
  },
);

test("the probe repeats the last unstored application until another is stored [92]", async ({
  store,
  databaseFile,
}) => {
  await store.probeAcceptance(TEST_NOW);
  change(databaseFile, refusalTrigger("applications", "new.name = '남궁가람'"));
  const application = anApplication({ name: "남궁가람" });
  await expect(store.accept(aNewApplication({ application }))).rejects.toThrow("not today");
  for (const at of [1, 2])
    await expect(store.probeAcceptance(TEST_NOW + at)).rejects.toThrow("not today");
  expect(await store.accept(aNewApplication())).toMatchObject({ outcome: "stored" });
  await store.probeAcceptance(TEST_NOW);
});
