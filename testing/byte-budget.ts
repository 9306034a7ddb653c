/**
 * Checks the first load of every page against its limits: `npm run budget`, after a build. Ends with 1 when
 * a page is over.
 */
import { BYTE_LIMITS, sumsOf } from "#testing/byte-limits.ts";
import { firstLoad } from "#testing/first-load.ts";
import { Site } from "#testing/site.ts";

const site = await Site.start();
try {
  for (const [path, limits] of Object.entries(BYTE_LIMITS)) {
    const load = await firstLoad(site.url, path);
    const sums = sumsOf(load, limits);
    const line = sums.map(({ kind, kilobytes, limit, isOver }) => {
      return `${isOver ? "OVER " : ""}${kind} ${kilobytes.toFixed(1)} of ${limit.toFixed(1)} KB`;
    });
    console.info(`${path}: ${line.join(", ")}`);
    if (sums.some(({ isOver }) => isOver)) process.exitCode = 1;
  }
} finally {
  await site.stop();
}
