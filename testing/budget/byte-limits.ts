/** Limits for the first load of every page, in KB. */
import { statSync } from "node:fs";
import { FIELD_NAMES } from "#lib/application/fields.ts";
import { menuPages, pagePaths } from "#lib/content/pages.ts";
import { offers } from "#lib/content/prices.ts";
import { regions } from "#lib/content/regions.ts";
import type { FirstLoad } from "#testing/budget/first-load.ts";
import { UNKNOWN_PATH } from "#testing/site/pages.ts";

type Kind = keyof FirstLoad;

/** The JavaScript of a blank page of this Next and React, compressed by gzip 9. See docs/performance.md. */
const BLANK_JS = 131.4;

/** Factor that leaves room for a new sentence or region. */
const ROOM = 1.04;
const withRoom = (kilobytes: number) => Math.round(kilobytes * ROOM * 10) / 10;

/** A page loads the font files that the build has cut for it, and no other. */
const fontFile = (name: string) => statSync(`app/fonts/font-${name}.woff2`).size / 1024;

/** Number of regions, offers, menu links and fields. Each one above TODAY may add ITEM kilobytes to a page. */
const ITEMS = regions.length + offers.length + menuPages.length + FIELD_NAMES.length;
const ITEM = 100 / 1024;
const TODAY = 24;

const EVERY_PAGE = {
  // The response header and the document fit into the first ten packets, which have 14.6 kB with TLS.
  document: Math.min(14_000 / 1024 + ITEM * (ITEMS - TODAY), 14_500 / 1024),
  css: withRoom(11.5),
  fonts: fontFile("pages"),
  pictures: 45,
};
/** The scripts of the menu, the notices, the pictures, and the button that copies the phone number. */
const PAGE_JS = BLANK_JS + withRoom(7);

/** Limits of single pages that differ from those of all pages. */
const OWN: Record<string, Partial<Record<Kind, number>>> = {
  // The page loads all code of the form at once (rules, outbox, draft), so that the form works without a connection.
  "/contact": { js: BLANK_JS + 21.1 + ITEM * (ITEMS - TODAY) },
  "/privacy": { fonts: fontFile("pages") + fontFile("privacy") },
};

export const BYTE_LIMITS: Readonly<Record<string, Record<Kind, number>>> = Object.fromEntries(
  [...pagePaths, UNKNOWN_PATH].map((path) => [path, { ...EVERY_PAGE, js: PAGE_JS, ...OWN[path] }]),
);
