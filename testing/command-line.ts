import { execFile } from "node:child_process";
import type { Finding } from "#lib/finding.ts";
import type { Site } from "#testing/site.ts";

/** What `npm run doctor` finds on a site's host: the sentence of each check, with its level. */
export function doctorOnHost(site: Site): Promise<Record<string, string>> {
  return new Promise((resolve) => {
    execFile(process.execPath, ["cli/doctor.ts", "--json"], { env: site.env }, (_fault, stdout) => {
      const { findings }: { findings: Finding[] } = JSON.parse(stdout);
      const told = findings.map(({ check, level, sentence }) => [check, `${level}: ${sentence}`]);
      resolve(Object.fromEntries(told));
    });
  });
}

/** Runs the owner's command line with a site's settings, beside the running site. */
export function applications(
  site: Site,
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const options = { env: site.env, maxBuffer: 100_000_000 };
    execFile(process.execPath, ["cli/applications.ts", ...args], options, (fault, stdout, stderr) =>
      resolve({ code: fault === null ? 0 : Number(fault.code), stdout, stderr }),
    );
  });
}
