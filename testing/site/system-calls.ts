/** Traces the system calls of a process in order, because only they prove that data was written to the disk. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";

export function traceSystemCalls(source: string, names: readonly string[]): string[] {
  const trace = join(makeTemporaryFolder(), "trace");
  execFileSync("strace", [
    ...["-f", "-y", "-o", trace, "-e", `trace=${names.join()}`],
    ...[process.execPath, "--input-type=module", "-e", source],
  ]);
  return readFileSync(trace, "utf8").split("\n");
}
