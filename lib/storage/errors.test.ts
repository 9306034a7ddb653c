import { expect, test } from "vitest";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { translateSqliteError } from "#lib/storage/sqlite/errors.ts";

test.each([
  [3, "failing"],
  [14, "failing"],
  [1, "failing"],
  [99, "failing"],
  [15, "locked"],
  [4618, "locked"],
  [5130, "locked"],
  [5386, "locked"],
  [2067, "bad-statement"],
])("the SQLite error %d makes the store unavailable with the reason %s", (errcode, reason) => {
  const error = Object.assign(new Error("own words"), { code: "ERR_SQLITE_ERROR", errcode });
  const message = expect.stringContaining(`SQLite error ${errcode}: own words`);
  expect(translateSqliteError(error, "applications.db")).toMatchObject({ reason, message });
});

test("a StorageUnavailable from another copy of the module is recognised", async () => {
  const copyUrl = new URL("./errors.ts?another-copy", import.meta.url).href;
  const copy: unknown = await import(/* @vite-ignore */ copyUrl);
  if (typeof copy !== "object" || copy === null || !("StorageUnavailable" in copy)) {
    throw new Error("the copy has no StorageUnavailable");
  }
  expect(copy.StorageUnavailable).not.toBe(StorageUnavailable);
  const Copied = copy.StorageUnavailable as typeof StorageUnavailable;
  expect(new Copied("It is out.", "full")).toBeInstanceOf(StorageUnavailable);
  expect(new Error("It is out.")).not.toBeInstanceOf(StorageUnavailable);
});
