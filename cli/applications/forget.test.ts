import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { forgetEverywhere } from "#cli/applications/forget.ts";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { aNewApplication, testWithStore as test } from "#testing/storage/temporary-store.ts";

test("a repeated forget deletes the file that the first one left", async ({
  temporary: { folder },
  store,
}) => {
  const { application } = aNewApplication();
  const accepted = await store.accept(aNewApplication());
  if (accepted.outcome !== "stored") throw new Error("not stored");
  const outbox = join(folder, "outbox");
  mkdirSync(outbox);
  const number = formatApplicationId(accepted.applicationId);
  writeFileSync(join(outbox, `2026-12-01_093000_${number}.txt`), "");

  // This store deletes the rows, then fails to purge the journal.
  const breaking = {
    ...store,
    forgetPhone: async (phone: string) => {
      await store.forgetPhone(phone);
      throw new StorageUnavailable("The disk is full.", "full");
    },
  };
  await expect(forgetEverywhere(breaking, application.phone, outbox)).rejects.toThrow("full");
  const again = await forgetEverywhere(store, application.phone, outbox);
  expect(again.complete).toBe(true);
  expect(readdirSync(outbox)).toEqual([]);
  expect(await store.find(accepted.applicationId)).toBeUndefined();
});

test("forget names an application whose file cannot be deleted", async ({ temporary, store }) => {
  const accepted = await store.accept(aNewApplication());
  if (accepted.outcome !== "stored") throw new Error("not stored");
  const outbox = join(temporary.folder, "outbox");
  // No program can delete a folder as a file, not even as root.
  const number = formatApplicationId(accepted.applicationId);
  mkdirSync(join(outbox, `2026-12-01_093000_${number}.txt`), { recursive: true });
  const { left } = await forgetEverywhere(store, aNewApplication().application.phone, outbox);
  expect(left).toEqual([accepted.applicationId]);
});
