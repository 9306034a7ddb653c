/**
 * The pages: the one list of them, with what search engines and link previews are told of each. Menus name those
 * that they show (navigation.ts).
 */
import { business } from "#lib/content/business.ts";
import { contact } from "#lib/content/contact.ts";
import { plainCopy } from "#lib/content/copy.ts";
import { galleryPage } from "#lib/content/gallery.ts";
import { hero } from "#lib/content/home.ts";
import { COURSE_HOURS, offers, priceFrom, savingsSentence, won } from "#lib/content/prices.ts";
import { priceBlock, pricingPage } from "#lib/content/pricing.ts";
import { privacyPage } from "#lib/content/privacy.ts";
import { regionNames } from "#lib/content/regions.ts";

export interface SeoPage {
  readonly path: string;
  /** As a breadcrumb has it. */
  readonly name: string;
  /** As a search result's heading: the keyword once, at most 30 syllables. */
  readonly title: string;
  /** Plain text; search engines show about 80 Korean characters. */
  readonly description: string;
  /** What the page's preview picture says, in the notation of copy.ts. */
  readonly headline: string;
}

/** The top bar's own colour, `paper` of tailwind.config.ts: the browser's frame continues it. */
export const themeColour = "#FAF8F3";

/** Where Next puts the name of a page that is not in this list. */
export const titleTemplate = `%s | ${business.name}`;
const titled = (name: string) => titleTemplate.replace("%s", name);

const places = regionNames.join("·");
const course = `${COURSE_HOURS}시간 운전연수`;
const prices = offers.map((offer) => `${offer.title} ${won(offer.price)}`).join(", ");
const savings = plainCopy(savingsSentence(offers));
const own = priceFrom(offers.filter((offer) => offer.group === "own"));
const training = priceFrom(offers.filter((offer) => offer.group === "training"));

export const seoPages = {
  home: {
    path: "/",
    name: business.name,
    title: `${business.name} | ${places}`,
    description: `${places} ${course}. 자차 ${own}, 연수차 ${training}. 전화, 문자, 온라인으로 신청하실 수 있습니다.`,
    headline: hero.title,
  },
  gallery: {
    path: "/gallery",
    name: galleryPage.name,
    title: titled(galleryPage.name),
    description: galleryPage.description,
    headline: galleryPage.title,
  },
  pricing: {
    path: "/pricing",
    name: pricingPage.title,
    title: titled(`${places} ${pricingPage.title}`),
    description: `${course} 비용: ${prices}.${savings && ` 정가에서 ${savings} 할인됩니다.`}`,
    headline: priceBlock.title,
  },
  contact: {
    path: "/contact",
    name: contact.title,
    title: titled(`${places} ${contact.title}`),
    description: `${places} ${course} 신청. ${plainCopy(`${contact.lead.form} ${contact.lead.call}`)}`,
    headline: contact.title,
  },
  privacy: {
    path: "/privacy",
    name: privacyPage.title,
    title: titled(privacyPage.title),
    description: privacyPage.description,
    headline: privacyPage.title,
  },
} as const satisfies Readonly<Record<string, SeoPage>>;

export type PageId = keyof typeof seoPages;

/** In the order of the list. */
export const pageIds = Object.keys(seoPages) as PageId[];

/** The page's address: the origin without a slash for the home page, so that there is only one form of each. */
export function pageUrl(siteUrl: string, page: SeoPage): string {
  return page.path === "/" ? siteUrl : siteUrl + page.path;
}
