/**
 * What search engines and link previews are told of each page: its name, its description and the
 * headline of its preview picture.
 */
import { business } from "#lib/content/business.ts";
import { contact } from "#lib/content/contact.ts";
import { plainCopy } from "#lib/content/copy.ts";
import { galleryPage } from "#lib/content/gallery.ts";
import { hero } from "#lib/content/home.ts";
import { metaDescription } from "#lib/content/layout.ts";
import { COURSE_HOURS, offers, savingsSentence, won } from "#lib/content/prices.ts";
import { priceBlock, pricingPage } from "#lib/content/pricing.ts";
import { privacyPage } from "#lib/content/privacy.ts";
import { regions } from "#lib/content/regions.ts";

export type PageId = "home" | "gallery" | "pricing" | "contact" | "privacy";

export interface SeoPage {
  readonly path: string;
  /** As a search result's heading, before the brand. */
  readonly name: string;
  /** Plain text; search engines show about 80 Korean characters. */
  readonly description: string;
  /** What the page's preview picture says, in the notation of copy.ts. */
  readonly headline: string;
}

/** The top bar's own colour, `paper` of tailwind.config.ts: the browser's frame continues it. */
export const themeColour = "#FAF8F3";

const places = regions.map((region) => region.name).join("·");
const prices = offers.map((offer) => `${offer.title} ${won(offer.price)}`).join(", ");
const savings = savingsSentence(offers).replace(/[[\]]/g, "");

export const seoPages: Readonly<Record<PageId, SeoPage>> = {
  home: {
    path: "/",
    name: "운전연수",
    description: metaDescription,
    headline: hero.title,
  },
  gallery: {
    path: "/gallery",
    name: galleryPage.name,
    description: galleryPage.description,
    headline: galleryPage.title,
  },
  pricing: {
    path: "/pricing",
    name: pricingPage.name,
    description: `${COURSE_HOURS}시간 운전연수 비용: ${prices}.${savings && ` 정가에서 ${savings} 할인됩니다.`}`,
    headline: priceBlock.title,
  },
  contact: {
    path: "/contact",
    name: contact.title,
    description: `${places} ${COURSE_HOURS}시간 운전연수 신청. ${plainCopy(contact.lead)}`,
    headline: contact.title,
  },
  privacy: {
    path: "/privacy",
    name: privacyPage.name,
    description: privacyPage.description,
    headline: privacyPage.title,
  },
};

export const pageIds: readonly PageId[] = ["home", "gallery", "pricing", "contact", "privacy"];

/** A page's whole title: `갤러리 | 차근차근 운전연수`. */
export function fullTitle(page: SeoPage): string {
  return `${page.name} | ${business.name}`;
}

/** The page's address: the origin without a slash for the home page, so that there is only one form of each. */
export function pageUrl(siteUrl: string, page: SeoPage): string {
  return page.path === "/" ? siteUrl : siteUrl + page.path;
}
