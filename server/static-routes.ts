/** Which paths the build knows: those that were prerendered, and those that Next answers itself. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** The route under which Next keeps the page for unknown paths. */
export const NOT_FOUND = "/_not-found";
const GLOBAL_ERROR = "/_global-error";

const prerenderManifest = z.object({ routes: z.record(z.string(), z.unknown()) });
const route = z.object({ page: z.string(), regex: z.string() });
const routesManifest = z.object({
  dynamicRoutes: z.array(route),
  staticRoutes: z.array(route),
});

export interface Routes {
  prerendered: string[];
  belongsToNext(path: string): boolean;
}

/** Reads what Next wrote down about the build in this folder. */
export function readRoutes(folder: string): Routes {
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(join(folder, ".next", name), "utf8"));
  const prerendered = Object.keys(prerenderManifest.parse(read("prerender-manifest.json")).routes);
  const { dynamicRoutes, staticRoutes } = routesManifest.parse(read("routes-manifest.json"));
  const patterns = [...dynamicRoutes, ...staticRoutes]
    .filter(({ page }) => page !== NOT_FOUND && page !== GLOBAL_ERROR)
    .map(({ regex }) => new RegExp(regex));
  return {
    prerendered: prerendered.filter((path) => path !== GLOBAL_ERROR),
    belongsToNext: (path) =>
      path.startsWith("/_next/") ||
      isRedirected(path) ||
      patterns.some((pattern) => pattern.test(path)),
  };
}

/** Next redirects to the address without the last, or a doubled, slash. */
function isRedirected(path: string): boolean {
  return !path.startsWith("/") || path.endsWith("/") || /\/\/|\\/.test(path);
}
