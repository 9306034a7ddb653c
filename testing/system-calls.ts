/** The system calls of a process, in order: only they show that something was put on the disk. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const TRACER = "strace";

/** Not on every machine. */
export const canTrace = spawnSync(TRACER, ["-V"]).status === 0;

/** The calls that a module's source makes, of these names. */
export function systemCallsOf(source: string, names: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "calls-"));
  const trace = join(folder, "trace");
  try {
    execFileSync(TRACER, [
      ...["-f", "-y", "-o", trace, "-e", `trace=${names.join()}`],
      ...[process.execPath, "--input-type=module", "-e", source],
    ]);
    return readFileSync(trace, "utf8").split("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
