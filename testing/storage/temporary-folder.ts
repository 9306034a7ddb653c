import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A new folder, which is deleted when the test ends. */
export function makeTemporaryFolder(within = tmpdir()): string {
  const folder = mkdtempSync(join(within, "test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
