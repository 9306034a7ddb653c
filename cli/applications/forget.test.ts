import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, vi } from "vitest";
import { forgetCommand, forgetInStoreAndFiles } from "#cli/applications/forget.ts";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { parseConfig } from "#lib/config.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import {
  aNewApplication,
  type TemporaryStore,
  testWithStore as test,
} from "#testing/storage/temporary-store.ts";

async function printForget({ folder }: TemporaryStore): Promise<string> {
  const print = vi.spyOn(console, "info").mockImplementation(() => undefined);
  const config = parseConfig({ DATA_DIR: folder });
  await forgetCommand.run([aNewApplication().application.phone], config, {});
  return print.mock.calls.join("\n");
}

/** Stores an application, and an empty message file whose name has its number, and a weekly summary. */
async function storeApplicationAndFiles({ folder, store }: TemporaryStore) {
  const accepted = await store.accept(aNewApplication());
  if (accepted.outcome !== "stored") throw new Error("not stored");
  const { applicationId } = accepted;
  const number = formatApplicationId(applicationId);
  const outbox = join(folder, "outbox");
  mkdirSync(outbox);
  const file = join(outbox, `2026-12-01_093000_${number}.txt`);
  for (const each of [file, join(outbox, "weekly-summary.eml")]) writeFileSync(each, "");
  return { applicationId, number, outbox, file };
}

test("forget counts what it deletes", async ({ temporary }) => {
  const { number } = await storeApplicationAndFiles(temporary);
  expect(await printForget(temporary)).toMatch(
    new RegExp(`^지운 신청: 1건 \\(${number}\\)\n지운 파일: outbox의 2개\n`),
  );
  vi.restoreAllMocks();
  const again = await printForget(temporary);
  expect(again).toMatch(/^010-1234-5678 번호로 된 신청이 이 사이트와 백업에 없습니다\./);
  expect(again).not.toMatch(/0건|아직 남아/);
});

test("forget, repeated after a failure, leaves no message file", async ({ temporary, store }) => {
  const { applicationId, outbox, file } = await storeApplicationAndFiles(temporary);
  const { phone } = aNewApplication().application;
  // This store fails after it has deleted the rows.
  const breaking = {
    ...store,
    forgetPhone: async () => {
      await store.forgetPhone(phone);
      throw new StorageUnavailable("The disk is full.", "full");
    },
  };
  await expect(forgetInStoreAndFiles(breaking, phone, outbox)).rejects.toThrow("full");
  // The rows are gone, so the second run gets the number from a backup.
  writeFileSync(file, "");
  const again = await forgetInStoreAndFiles(store, phone, outbox, [applicationId]);
  expect(again).toMatchObject({ underWay: 0, areRowsErased: true, left: [] });
  expect(readdirSync(outbox)).toEqual([]);
  expect(await store.find(applicationId)).toBeUndefined();
});

test("forget reports that an application that is being sent was not deleted", async ({
  temporary,
  store,
}) => {
  await store.accept(aNewApplication());
  using database = new DatabaseSync(temporary.databaseFile);
  database.exec(`INSERT INTO messages (notice_id, channel, recipient, state, next_at)
    SELECT id, 'sms', '+821099990000', 'sending', 0 FROM notices`);
  await expect(printForget(temporary)).rejects.toThrow(/^지금 보내고 있는 신청 1건은 지우지/);
});

test("forget reports what it could not erase, and how to find who reads it", async ({
  temporary,
}) => {
  const { number, file } = await storeApplicationAndFiles(temporary);
  // No program, not even of root, can delete a folder as a file.
  rmSync(file);
  mkdirSync(file);
  // The journal stays while a reader may need it.
  using reader = new DatabaseSync(temporary.databaseFile);
  reader.exec("BEGIN; SELECT * FROM applications");
  await expect(printForget(temporary)).rejects.toThrow(
    new RegExp(
      `^지웠지만, 다른 프로그램.+applications\\.db-wal.+lsof .+\noutbox에서 이 번호의 파일을 지우지 못했습니다.+: ${number}$`,
    ),
  );
});
