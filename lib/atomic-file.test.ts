import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { syncToDisk, writeAtomically } from "#lib/atomic-file.ts";
import { machineHas } from "#testing/machine-needs.ts";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";

test("a file that could not be written leaves nothing behind", async () => {
  const folder = makeTemporaryFolder();
  const write = () => Promise.reject(new Error("no room"));
  await expect(writeAtomically(join(folder, "a.csv"), write)).rejects.toThrow("no room");
  expect(readdirSync(folder)).toEqual([]);
});

// Linux answers an fsync of /dev/null with EINVAL, like some file systems an fsync of a folder.
test.runIf(machineHas("linux"))(
  "a file system that cannot sync folders causes no error",
  async () => {
    await syncToDisk("/dev/null", "r");
    await expect(syncToDisk("/dev/null")).rejects.toThrow("EINVAL");
  },
);
