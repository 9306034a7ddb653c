/**
 * The first load of every page against its limits in KB: the document, and the scripts, styles, fonts and eager
 * pictures that the HTML or the Link header names. Code that scripts load when the browser is idle is not included. See
 * docs/performance.md.
 */
import { statSync } from "node:fs";
import { get } from "node:http";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { FIELD_NAMES } from "#lib/application/fields.ts";
import { menuPages, pagePaths } from "#lib/content/pages.ts";
import { offers } from "#lib/content/prices.ts";
import { regions } from "#lib/content/regions.ts";
import { expect, testWithSite as test } from "#testing/browser/test.ts";
import { UNKNOWN_PATH } from "#testing/site/pages.ts";
import { Site } from "#testing/site/site.ts";

/** Bytes as sent. Only scripts are counted as compressed by gzip 9, whatever the server's compression. */
interface FirstLoad {
  js: number;
  /** The document with the header of its response. */
  document: number;
  css: number;
  fonts: number;
  /** Lazy pictures are left out. */
  pictures: number;
}

type Kind = keyof FirstLoad;

/** The JavaScript of a blank page of this Next and React, compressed by gzip 9. */
const BLANK_JS = 131.4;

/** Factor that leaves room for a new sentence or region. */
const TOLERANCE = 1.04;
const withRoom = (kilobytes: number) => Math.round(kilobytes * TOLERANCE * 10) / 10;

/** KB of a font file. A page preloads the files that the build has cut for it, and may request others later. */
const fontKilobytes = (name: string) => statSync(`app/fonts/font-${name}.woff2`).size / 1024;

/** Number of regions, offers, menu links and fields. Each one above ITEM_COUNT_AT_LIMITS may add KB_PER_ITEM. */
const ITEM_COUNT = regions.length + offers.length + menuPages.length + FIELD_NAMES.length;
const KB_PER_ITEM = 100 / 1024;
const ITEM_COUNT_AT_LIMITS = 24;

const EVERY_PAGE = {
  // The response header and the document fit into the first ten packets, which have 14.6 kB with TLS.
  document: Math.min(
    14_000 / 1024 + KB_PER_ITEM * (ITEM_COUNT - ITEM_COUNT_AT_LIMITS),
    14_500 / 1024,
  ),
  css: withRoom(11.5),
  fonts: fontKilobytes("pages"),
  pictures: 45,
};
/** The scripts of the menu, the notice boxes, the pictures, and the button that copies the phone number. */
const PAGE_JS = BLANK_JS + withRoom(7);

/** Limits of single pages that differ from those of all pages. */
const LIMITS_OF_PAGES: Record<string, Partial<Record<Kind, number>>> = {
  // The page loads all code of the form at once (rules, outbox, draft), so that the form works without a connection.
  "/contact": { js: BLANK_JS + withRoom(20) + KB_PER_ITEM * (ITEM_COUNT - ITEM_COUNT_AT_LIMITS) },
  "/privacy": { fonts: fontKilobytes("pages") + fontKilobytes("privacy") },
};

test("the first load of each page is within its byte limits", async () => {
  // Without the facts that an owner may state, which would make the pages longer.
  await using site = await Site.start();
  for (const path of [...pagePaths, UNKNOWN_PATH]) {
    const load = await measureFirstLoad(site.url, path);
    const limits = { ...EVERY_PAGE, js: PAGE_JS, ...LIMITS_OF_PAGES[path] };
    const kinds = Object.entries(limits).map(([kind, limit]) => {
      const kilobytes = load[kind as Kind] / 1024;
      const line = `${kind} ${kilobytes.toFixed(1)} of ${limit.toFixed(1)} KB`;
      return { line, isOver: kilobytes > limit };
    });
    console.info(`${path}: ${kinds.map(({ line }) => line).join(", ")}`);
    expect(kinds.filter(({ isOver }) => isOver)).toEqual([]);
  }
});

/** The addresses of the files that a page and its `Link` header name. */
function listedAddresses(html: string, link: string) {
  const tags = [...html.matchAll(/<(link|img)\b[^>]*>/g)].map(([tag, name]) => ({
    name,
    address: /\s(?:src|href)="([^"]+)"/.exec(tag)?.[1]?.replaceAll("&amp;", "&"),
    tag,
  }));
  const addresses = (fits: (tag: string) => boolean, kind: string) => {
    const found = tags.filter(({ name, tag }) => name === kind && fits(tag));
    return [...new Set(found.flatMap(({ address }) => address ?? []))];
  };
  // server/defer-scripts.ts writes this loop over all scripts into the page.
  const [, scripts = "[]"] = /for\(const src of (\[[^\]]*\])\)/.exec(html) ?? [];
  return {
    scripts: JSON.parse(scripts) as string[],
    styles: addresses((tag) => tag.includes('rel="stylesheet"'), "link"),
    fonts: [...link.matchAll(/<([^>]+)>; rel=preload; as="?font/g)].map(([, font = ""]) => font),
    pictures: addresses((tag) => !tag.includes('loading="lazy"'), "img"),
  };
}

/** Bytes of the header and the body as sent to a browser. `fetch` would decompress the body. */
function bytesAt(url: string): Promise<{ header: number; body: number }> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { "accept-encoding": "br, gzip" } }, (response) => {
      // Two bytes follow the status, each name (`: `), each value (a line break), and the header (an empty line).
      const status = `HTTP/1.1 ${response.statusCode} ${response.statusMessage}`.length + 4;
      const header = response.rawHeaders.reduce((sum, part) => sum + part.length + 2, status);
      buffer(response).then(({ length }) => resolve({ header, body: length }), reject);
    }).on("error", reject);
  });
}

async function measureFirstLoad(origin: string, path: string): Promise<FirstLoad> {
  const page = await fetch(origin + path);
  const link = page.headers.get("link") ?? "";
  const { scripts, styles, fonts, pictures } = listedAddresses(await page.text(), link);
  if (scripts.length === 0 || styles.length === 0) {
    throw new Error(`${path} names no script or no style: its form is not known here`);
  }
  const sent = async (addresses: readonly string[]) => {
    const bodies = await Promise.all(addresses.map((address) => bytesAt(origin + address)));
    return bodies.reduce((sum, { body }) => sum + body, 0);
  };
  const texts = await Promise.all(
    scripts.map(async (address) => (await fetch(origin + address)).bytes()),
  );
  const { header, body } = await bytesAt(origin + path);
  return {
    js: texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0),
    document: header + body,
    css: await sent(styles),
    fonts: await sent(fonts),
    pictures: await sent(pictures),
  };
}
