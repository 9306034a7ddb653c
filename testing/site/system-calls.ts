/** The system calls of a process, in order: only they show that something was put on the disk. */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "#testing/storage/temporary-folder.ts";

const TRACER = "strace";

/** Not on every machine. */
export const canTrace = spawnSync(TRACER, ["-V"]).status === 0;

/** The calls that a module's source makes, of these names. */
export function systemCallsOf(source: string, names: readonly string[]): string[] {
  const trace = join(temporaryFolder(), "trace");
  execFileSync(TRACER, [
    ...["-f", "-y", "-o", trace, "-e", `trace=${names.join()}`],
    ...[process.execPath, "--input-type=module", "-e", source],
  ]);
  return readFileSync(trace, "utf8").split("\n");
}
