import { existsSync } from "node:fs";
import { COMPILE_CACHE, Site } from "#testing/site/site.ts";

/**
 * Before the first end-to-end test: a server that is not killed leaves what Node has compiled for all later ones,
 * which then start with a quarter less work. Tests kill theirs, and a killed process leaves nothing.
 */
export default async function warmUp(): Promise<void> {
  if (existsSync(COMPILE_CACHE)) return;
  const site = await Site.start();
  await site.end("SIGTERM");
  await site.stop();
}
