import { expect, test } from "vitest";
import { StorageUnavailable } from "#lib/storage/errors.ts";

test("a StorageUnavailable of another copy of the module is recognised, other errors are not", async () => {
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
