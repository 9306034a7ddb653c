/** Byte limits of every page's first load, in KB: the one table of the byte budget. */
import { collectFontCharacters } from "#build/font-characters.ts";
import { FIELD_NAMES } from "#lib/application/fields.ts";
import { menuPages, pagePaths } from "#lib/content/pages.ts";
import { offers } from "#lib/content/prices.ts";
import { regions } from "#lib/content/regions.ts";
import type { FirstLoad } from "#testing/budget/first-load.ts";
import { UNKNOWN_PATH } from "#testing/site/pages.ts";

type Kind = keyof FirstLoad;

/** The JavaScript of a blank page of this Next and React, by gzip 9; see docs/performance.md. */
const BLANK_JS = 131.4;

/** Factor by which content and settings may grow: a new sentence or region does not exceed the budget. */
const ROOM = 1.04;
const withRoom = (kilobytes: number) => Math.round(kilobytes * ROOM * 10) / 10;

/** Characters of the preloaded font files, and the KB that each of them may have on average. */
const characters = await collectFontCharacters();
const FONT_CHARACTER = 0.131;
const PRIVACY_CHARACTER = 0.171;

/** Number of regions, offers, menu links and fields. Each further one may add some bytes to a page. */
const ITEMS = regions.length + offers.length + menuPages.length + FIELD_NAMES.length;
const ITEM = 100 / 1024;
const TODAY = 24;

const FONTS = withRoom(FONT_CHARACTER * characters.pages.length);

/** The style sheet contains Tailwind's whole reset, and named classes for repeated styles. */
const EVERY_PAGE = {
  // Header and body fit into the first ten packets, which have 14.6 kB with TLS.
  document: Math.min(14_000 / 1024 + ITEM * (ITEMS - TODAY), 14_500 / 1024),
  css: withRoom(11),
  fonts: FONTS,
  pictures: 45,
};
/** Menu, notices, pictures, and the button that copies the number. */
const PAGE_JS = BLANK_JS + withRoom(7);

/** Higher limits of single pages. */
const OWN: Record<string, Partial<Record<Kind, number>>> = {
  // The page loads all of the form's code at once, so that none is missing without a connection: the rules of the
  // server's check, the outbox with its locks, the drafts.
  "/contact": { js: BLANK_JS + 22.3 + ITEM * (ITEMS - TODAY) },
  "/privacy": { fonts: FONTS + withRoom(PRIVACY_CHARACTER * characters.privacy.length) },
};

export const BYTE_LIMITS: Readonly<Record<string, Record<Kind, number>>> = Object.fromEntries(
  [...pagePaths, UNKNOWN_PATH].map((path) => [path, { ...EVERY_PAGE, js: PAGE_JS, ...OWN[path] }]),
);
