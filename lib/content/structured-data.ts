/**
 * What the site tells search engines as structured data (schema.org). Only what the business gave or what is
 * configured: no rating, no review, no opening hours, no certificate.
 */
import type {
  BreadcrumbList,
  FAQPage,
  Graph,
  ImageGallery,
  LocalBusiness,
  Offer as OfferNode,
  PostalAddress,
  Thing,
  WebSite,
} from "schema-dts";
import { business } from "#lib/content/business.ts";
import { fill, plainCopy } from "#lib/content/copy.ts";
import { gallery, galleryPage } from "#lib/content/gallery.ts";
import { metaDescription } from "#lib/content/layout.ts";
import { navigation } from "#lib/content/navigation.ts";
import type { Picture } from "#lib/content/picture.ts";
import { previewPath } from "#lib/content/previews.ts";
import { COURSE_HOURS, type Offer, offers, saving, won } from "#lib/content/prices.ts";
import { priceBlock } from "#lib/content/pricing.ts";
import { questions } from "#lib/content/questions.ts";
import { regions } from "#lib/content/regions.ts";
import { type PageId, pageUrl, seoPages } from "#lib/content/seo.ts";

/** What the operator configured. */
export interface BusinessIdentity {
  readonly siteUrl: string;
  /** With the country's code: `+821000000000`. */
  readonly telephone: string;
  /** As the pages show it: `010-0000-0000`. */
  readonly inquiryPhone: string;
  readonly businessName: string | undefined;
  readonly businessRegistration: string | undefined;
  readonly businessAddress: string | undefined;
  readonly businessEmail: string | undefined;
}

const CURRENCY = "KRW";
/** UN/CEFACT's code for an hour. */
const HOUR = "HUR";

const businessId = (siteUrl: string) => `${siteUrl}/#business`;
const offerId = (siteUrl: string, offer: Offer) =>
  `${pageUrl(siteUrl, seoPages.pricing)}#${offer.id}`;
const absolute = (siteUrl: string, path: string) => new URL(path, siteUrl).href;

const areas = regions.map((region) => ({
  "@type": "City" as const,
  name: region.name,
  alternateName: region.romanised,
  ...(region.province && {
    containedInPlace: { "@type": "AdministrativeArea" as const, name: region.province },
  }),
}));

const hours = {
  "@type": "QuantitativeValue" as const,
  value: COURSE_HOURS,
  unitCode: HOUR,
};

/** The three courses. `ListPrice` is the 정가: `StrikethroughPrice` would say that it was once charged. */
function offerNode(siteUrl: string, offer: Offer): OfferNode {
  return {
    "@type": "Offer",
    "@id": offerId(siteUrl, offer),
    name: `${offer.title} ${priceBlock.hours}`,
    url: pageUrl(siteUrl, seoPages.pricing),
    price: offer.price,
    priceCurrency: CURRENCY,
    eligibleQuantity: hours,
    ...(saving(offer) > 0 && {
      priceSpecification: {
        "@type": "UnitPriceSpecification",
        priceType: "https://schema.org/ListPrice",
        price: offer.listPrice,
        priceCurrency: CURRENCY,
      },
    }),
    itemOffered: {
      "@type": "Service",
      name: offer.title,
      description: offer.description.replace(/[[\]]/g, ""),
      serviceType: seoPages.home.name,
      image: absolute(siteUrl, offer.picture.src),
      provider: { "@id": businessId(siteUrl) },
    },
  };
}

/** The country is certain (the service areas are Korean cities); anything closer only when it is configured. */
function address(configured: string | undefined): PostalAddress {
  return {
    "@type": "PostalAddress",
    addressCountry: "KR",
    ...(configured && { streetAddress: configured }),
  };
}

function priceRange(): string {
  const prices = offers.map((offer) => offer.price);
  return [...new Set([Math.min(...prices), Math.max(...prices)])].map(won).join("~");
}

/** The business. /pricing describes its offers; the home page names them, for its first packets are counted. */
function businessNode(
  identity: BusinessIdentity,
  makesOffer?: readonly (OfferNode | { "@id": string })[],
): LocalBusiness {
  const { siteUrl, businessName, businessRegistration, businessEmail } = identity;
  return {
    "@type": "LocalBusiness",
    "@id": businessId(siteUrl),
    name: business.name,
    ...(businessName && { legalName: businessName }),
    description: metaDescription,
    url: siteUrl,
    telephone: identity.telephone,
    ...(businessEmail && { email: businessEmail }),
    address: address(identity.businessAddress),
    ...(businessRegistration && { taxID: businessRegistration }),
    areaServed: areas,
    image: absolute(siteUrl, previewPath("home")),
    logo: absolute(siteUrl, "/icons/icon-512.png"),
    currenciesAccepted: CURRENCY,
    priceRange: priceRange(),
    ...(makesOffer && { makesOffer }),
  };
}

/** The name under which Google shows the site. */
function websiteNode(siteUrl: string): WebSite {
  return {
    "@type": "WebSite",
    "@id": `${siteUrl}/#website`,
    name: business.name,
    url: siteUrl,
    inLanguage: "ko-KR",
    publisher: { "@id": businessId(siteUrl) },
  };
}

function breadcrumbs(siteUrl: string, id: PageId): BreadcrumbList {
  const page = seoPages[id];
  const home = navigation.find((item) => item.href === "/")?.label ?? seoPages.home.name;
  return {
    "@type": "BreadcrumbList",
    itemListElement: [
      { "@type": "ListItem", position: 1, name: home, item: pageUrl(siteUrl, seoPages.home) },
      { "@type": "ListItem", position: 2, name: page.name, item: pageUrl(siteUrl, page) },
    ],
  };
}

function imageNode(siteUrl: string, picture: Picture, name: string, caption: string) {
  return {
    "@type": "ImageObject" as const,
    contentUrl: absolute(siteUrl, picture.src),
    name,
    caption,
    description: picture.alt,
  };
}

function galleryNode(siteUrl: string): ImageGallery {
  const url = pageUrl(siteUrl, seoPages.gallery);
  return {
    "@type": "ImageGallery",
    "@id": `${url}#gallery`,
    url,
    name: galleryPage.name,
    description: galleryPage.description,
    inLanguage: "ko-KR",
    about: { "@id": businessId(siteUrl) },
    image: gallery.map(({ picture, title, description }) =>
      imageNode(siteUrl, picture, title, description ?? title),
    ),
  };
}

/** The questions as /pricing answers them. */
function questionsNode(siteUrl: string, phone: string): FAQPage {
  return {
    "@type": "FAQPage",
    "@id": `${pageUrl(siteUrl, seoPages.pricing)}#questions`,
    inLanguage: "ko-KR",
    mainEntity: questions.map(({ question, answer }) => ({
      "@type": "Question",
      name: question,
      acceptedAnswer: { "@type": "Answer", text: fill(plainCopy(answer), { phone }) },
    })),
  };
}

/** Everything that a page tells, as one JSON-LD graph. */
export function structuredData(id: PageId, identity: BusinessIdentity): Graph {
  const { siteUrl } = identity;
  const own: Readonly<Record<PageId, () => Thing[]>> = {
    home: () => [
      businessNode(
        identity,
        offers.map((offer) => ({ "@id": offerId(siteUrl, offer) })),
      ),
      websiteNode(siteUrl),
    ],
    gallery: () => [galleryNode(siteUrl)],
    pricing: () => [
      businessNode(
        identity,
        offers.map((offer) => offerNode(siteUrl, offer)),
      ),
      questionsNode(siteUrl, identity.inquiryPhone),
    ],
    contact: () => [businessNode(identity)],
    privacy: () => [],
  };
  const way = id === "home" ? [] : [breadcrumbs(siteUrl, id)];
  return { "@context": "https://schema.org", "@graph": [...own[id](), ...way] };
}
