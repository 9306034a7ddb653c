import { expect, test } from "vitest";
import { syncToDisk } from "#lib/atomic-file.ts";

// Linux answers EINVAL to an fsync of this device, as some file systems do to the fsync of a folder.
test.runIf(process.platform === "linux")("a folder that cannot be synced is no fault", async () => {
  await syncToDisk("/dev/null", "r");
  await expect(syncToDisk("/dev/null")).rejects.toThrow("EINVAL");
});
