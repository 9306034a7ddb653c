import { execFile } from "node:child_process";
import type { Site } from "#testing/site.ts";

/** What `npm run applications -- health` knows of a site. */
export async function healthOnHost(site: Site): Promise<unknown> {
  const { stdout, stderr } = await applications(site, "health", "--json");
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
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
