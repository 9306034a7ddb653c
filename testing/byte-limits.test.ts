import { expect, test } from "vitest";
import { afterPaint } from "#server/after-paint.ts";
import { BYTE_LIMITS, sumsOf } from "#testing/byte-limits.ts";
import { type FirstLoad, namedIn } from "#testing/first-load.ts";

const KB = 1024;
const load: FirstLoad = {
  js: 135 * KB,
  html: 9 * KB,
  css: 8 * KB,
  fonts: 45 * KB,
  pictures: 30 * KB,
};
const over = (path: string, change: Partial<FirstLoad>) => {
  const limits = BYTE_LIMITS[path];
  if (limits === undefined) throw new Error(`${path} has no limits`);
  const sums = sumsOf({ ...load, ...change }, limits);
  return sums.filter(({ isOver }) => isOver).map(({ kind }) => kind);
};

test("a page within its limits is not over", () => {
  for (const path of Object.keys(BYTE_LIMITS)) expect(over(path, {}), path).toEqual([]);
});

test("30 KB more is over on every page, whatever the kind", () => {
  for (const path of Object.keys(BYTE_LIMITS)) {
    for (const kind of ["js", "html", "css", "fonts", "pictures"] as const) {
      expect(over(path, { [kind]: load[kind] + 30 * KB }), path).toEqual([kind]);
    }
  }
});

test("a page loads what it and its header name, but for old browsers' scripts and pictures further down", () => {
  const html =
    afterPaint(`<head><link rel="stylesheet" href="/a.css"/><link rel="icon" href="/i.svg"/>
    <script src="/turbopack-s.js" async=""></script><script src="/old.js" noModule=""></script></head>
    <img loading="eager" src="/_next/image?url=x&amp;w=1"/><img loading="lazy" src="/late.svg"/>`);
  const link =
    '</f.woff2>; rel=preload; as="font"; crossorigin="", </i.png>; rel=preload; as="image"';
  expect(namedIn(html, link)).toEqual({
    scripts: ["/turbopack-s.js"],
    styles: ["/a.css"],
    fonts: ["/f.woff2"],
    pictures: ["/_next/image?url=x&w=1"],
  });
});
