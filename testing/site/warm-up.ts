import { existsSync } from "node:fs";
import { COMPILE_CACHE_FOLDER, Site } from "#testing/site/site.ts";

/**
 * Starts and stops a server before the first end-to-end test, to save Node's compile cache, unless an earlier run has
 * saved one. Later starts then take a quarter less time. Killed servers, as in most tests, save nothing.
 */
export default async function warmUp(): Promise<void> {
  if (existsSync(COMPILE_CACHE_FOLDER)) return;
  const site = await Site.start();
  await site.end("SIGTERM");
  await site.discard();
}
