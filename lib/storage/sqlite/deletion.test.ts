import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { aNewApplication, anApplication, temporaryStore } from "#testing/temporary-store.ts";

test("a deletion leaves nothing of a person in the database file or its journal", async () => {
  await using temporary = temporaryStore();
  const { store, databaseFile } = temporary;
  const application = anApplication({ name: "남궁카나리아", phone: "+821098761234" });
  await store.accept(aNewApplication({ application, idempotencyKey: "key" }));
  const holds = (text: string) =>
    [databaseFile, `${databaseFile}-wal`].some(
      (file) => existsSync(file) && readFileSync(file).includes(Buffer.from(text)),
    );
  expect([holds("남궁카나리아"), holds("1098761234")]).toEqual([true, true]);
  expect(await store.forgetPhone("+821098761234")).toMatchObject({ journalPurged: true });
  expect([holds("남궁카나리아"), holds("1098761234")]).toEqual([false, false]);
});
