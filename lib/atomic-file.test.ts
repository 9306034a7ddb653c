import { expect, test } from "vitest";
import { syncToDisk } from "#lib/atomic-file.ts";

// Linux answers an fsync of this device with EINVAL, as some file systems answer an fsync of a folder.
test.runIf(process.platform === "linux")("syncing a folder ignores an EINVAL", async () => {
  await syncToDisk("/dev/null", "r");
  await expect(syncToDisk("/dev/null")).rejects.toThrow("EINVAL");
});
