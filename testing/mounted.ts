/** For tests of the doctor, as root on Linux: real file systems that are full or read-only. */
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import type { Finding } from "#lib/finding.ts";

/** Whether this user may mount where nobody else sees it. */
export const canMount = spawnSync("unshare", ["--mount", "true"]).status === 0;

/**
 * Runs shell commands that mount something, then an expression, and returns its findings. In the expression
 * `machine` and `database` are the doctor's modules. The mounts end with the process.
 */
export function withMounts(commands: string, expression: string): Finding[] {
  const script = `
    const machine = await import("${resolve("cli/doctor/machine.ts")}");
    const database = await import("${resolve("cli/doctor/database.ts")}");
    console.info(JSON.stringify(await ${expression}));`;
  const { stdout, stderr } = spawnSync(
    "unshare",
    ["--mount", "bash", "-euc", `${commands}\nexec "$0" --input-type=module --eval "$1"`].concat(
      process.execPath,
      script,
    ),
    { encoding: "utf8" },
  );
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}
