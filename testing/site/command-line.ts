import { execFile } from "node:child_process";
import type { Site } from "#testing/site/site.ts";

export function runDoctor(site: Pick<Site, "env">): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, ["cli/doctor.ts"], { env: site.env }, (_fault, stdout) =>
      resolve(stdout),
    );
  });
}

export function runOwnerCommand(
  site: Pick<Site, "env">,
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const options = { env: site.env, maxBuffer: 100_000_000 };
    execFile(process.execPath, ["cli/applications.ts", ...args], options, (fault, stdout, stderr) =>
      resolve({ code: fault === null ? 0 : Number(fault.code), stdout, stderr }),
    );
  });
}
