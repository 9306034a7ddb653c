/** Menus, breadcrumbs, sitemap, previews, the service worker, byte budgets and tests read this list of pages. */
import { business } from "#lib/content/business.ts";
import { contactTexts } from "#lib/content/contact-page.ts";
import { galleryPage } from "#lib/content/gallery-page.ts";
import { hero } from "#lib/content/home-page.ts";
import { FORM_ID, FORM_PAGE_PATH } from "#lib/content/links.ts";
import {
  COURSE_HOURS,
  formatGroupPrice,
  formatLowestPrice,
  formatSavings,
  formatWon,
  offers,
} from "#lib/content/prices.ts";
import { priceBlock, pricingPage } from "#lib/content/pricing-page.ts";
import { privacyPage } from "#lib/content/privacy-page.ts";
import { listRegionNames } from "#lib/content/regions.ts";
import { plainText } from "#lib/content/text-notation.ts";

export interface PageFacts {
  readonly path: string;
  readonly name: string;
  /** The title in search results: the keyword once, at most 30 syllables. */
  readonly title: string;
  /** Plain text. Search engines show about the first 80 Korean characters. */
  readonly description: string;
  /** The words on the preview picture, in the notation of text-notation.ts. */
  readonly headline: string;
  /** Menus have the order of this list. */
  readonly menu?: {
    readonly english: string;
    /** The anchor to which the menu leads: 신청 leads to the form. */
    readonly hash?: string;
  };
}

/** The title of a page outside this list, such as the 404 page. Next replaces `%s` with the page's name. */
export const titleTemplate = `%s | ${business.name}`;
const titled = (name: string) => titleTemplate.replace("%s", name);

/** A search result cuts a title with more regions. */
const MAX_TITLE_REGIONS = 7;
const regionNames = listRegionNames();
const regionsText = regionNames.slice(0, MAX_TITLE_REGIONS).join("·");
/** Titles begin with two towns, because people search for `이천 운전연수 비용`. A result would cut a title with more. */
const firstTownsText = regionNames.slice(0, 2).join("·");
const courseText = `${COURSE_HOURS}시간 운전연수`;
const pricesText = offers.map((offer) => `${offer.title} ${formatWon(offer.price)}`).join(", ");
const savingsText = formatSavings(offers);

export const pages = {
  home: {
    path: "/",
    name: "홈",
    title: `${business.name} | ${regionsText}`,
    description: `${regionsText} ${courseText}. 자차 ${formatGroupPrice("own")}, 연수차 ${formatGroupPrice("training")}. 전화, 문자, 온라인으로 신청하실 수 있습니다.`,
    headline: hero.title,
    menu: { english: "Home" },
  },
  gallery: {
    path: "/gallery",
    name: galleryPage.name,
    title: titled(galleryPage.name),
    description: galleryPage.description,
    headline: galleryPage.title,
    menu: { english: galleryPage.english },
  },
  pricing: {
    path: "/pricing",
    name: pricingPage.title,
    title: titled(`${firstTownsText} ${business.service} 비용 ${formatLowestPrice(offers)}`),
    description: `${courseText} 비용: ${pricesText}.${savingsText && ` 정가에서 ${savingsText} 할인됩니다.`}`,
    headline: priceBlock.title,
    menu: { english: "Pricing" },
  },
  contact: {
    path: FORM_PAGE_PATH,
    name: contactTexts.title,
    title: titled(`${firstTownsText} ${business.service} 신청`),
    description: `${regionsText} ${courseText} 신청. ${plainText(`${contactTexts.lead.form} ${contactTexts.lead.call}`)}`,
    headline: contactTexts.title,
    menu: { english: "Apply", hash: `#${FORM_ID}` },
  },
  privacy: {
    path: "/privacy",
    name: privacyPage.title,
    title: titled(privacyPage.title),
    description: privacyPage.description,
    headline: privacyPage.title,
  },
} as const satisfies Readonly<Record<string, PageFacts>>;

export type PageId = keyof typeof pages;

export const pageIds = Object.keys(pages) as PageId[];
export const pagePaths = Object.values<PageFacts>(pages).map(({ path }) => path);

export const menuPages = Object.values<PageFacts>(pages).flatMap(({ path, name, menu }) =>
  menu ? [{ path, name, href: path + (menu.hash ?? ""), ...menu }] : [],
);

/** The home page's address has no slash at its end, like the address of every other page. */
export function pageUrl(siteUrl: string, { path }: Pick<PageFacts, "path">): string {
  return path === "/" ? siteUrl : siteUrl + path;
}
