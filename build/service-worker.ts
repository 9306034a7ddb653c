/** Bundles the service worker after a build, with the list of the files that it caches. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import type { Precache } from "#lib/browser/service-worker.ts";
import { pagePaths } from "#lib/content/pages.ts";
import { placeholderPicture } from "#lib/content/picture.ts";

const BUDGET_BYTES = 12_000;

/**
 * Lists the pages and files to cache beforehand, without the polyfills, which no supported browser
 * requests, and without the font files that few pages need.
 */
function listPrecache(): Precache {
  const manifest: { polyfillFiles: string[] } = JSON.parse(
    readFileSync(".next/build-manifest.json", "utf8"),
  );
  const assets = readdirSync(".next/static", { recursive: true, encoding: "utf8" })
    .map((name) => `static/${name.replaceAll("\\", "/")}`)
    .filter((name) => /\.(css|js|woff2)$/.test(name) && !/\/_\w+Manifest\.js$/.test(name))
    .filter((name) => !manifest.polyfillFiles.includes(name) && !/\/font-rest-/.test(name))
    .sort();
  return {
    // The server replaces this version with a hash of the service worker and the pages.
    version: `of-build-${createHash("sha256").update(assets.join()).digest("base64url")}`,
    pages: pagePaths,
    assets: [...assets.map((name) => `/_next/${name}`), placeholderPicture.src],
  };
}

const bundle = await rolldown({
  input: "lib/browser/service-worker.ts",
  platform: "browser",
  transform: { define: { PRECACHE: JSON.stringify(listPrecache()) } },
});
const { output } = await bundle.generate({ format: "iife", minify: true, codeSplitting: false });
const { code } = output[0];
const bytes = gzipSync(code, { level: 9 }).length;
if (bytes > BUDGET_BYTES)
  throw new Error(`The service worker has ${bytes} bytes (gzip), more than ${BUDGET_BYTES}.`);
writeFileSync("public/sw.js", code);
console.info(`public/sw.js: ${bytes} bytes (gzip)`);
