/**
 * `npm run budget`, after a build: checks the first load of every page against the limits of that page. Exits with 1 if
 * a page exceeds a limit.
 */
import { BYTE_LIMITS } from "#testing/budget/byte-limits.ts";
import { measureFirstLoad } from "#testing/budget/first-load.ts";
import { Site } from "#testing/site/site.ts";

const KINDS = ["js", "document", "css", "fonts", "pictures"] as const;

await using site = await Site.start();
for (const [path, limits] of Object.entries(BYTE_LIMITS)) {
  const load = await measureFirstLoad(site.url, path);
  const line = KINDS.map((kind) => {
    const kilobytes = load[kind] / 1024;
    const isOver = kilobytes > limits[kind];
    if (isOver) process.exitCode = 1;
    return `${isOver ? "OVER " : ""}${kind} ${kilobytes.toFixed(1)} of ${limits[kind].toFixed(1)} KB`;
  });
  console.info(`${path}: ${line.join(", ")}`);
}
