import { expect, test } from "vitest";
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
