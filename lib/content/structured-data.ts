/**
 * What the site tells search engines as structured data (schema.org): what Google and Naver make something of, and
 * only what the business gave or what is configured. No rating, no review, no opening hours, no certificate.
 */
import type {
  AdministrativeArea,
  BreadcrumbList,
  City,
  Graph,
  LocalBusiness,
  Offer as OfferNode,
  Thing,
  WebSite,
} from "schema-dts";
import { business } from "#lib/content/business.ts";
import { openGraphImages } from "#lib/content/open-graph-images.ts";
import { type Offer, offers, won } from "#lib/content/prices.ts";
import { priceBlock } from "#lib/content/pricing.ts";
import { type Region, regions } from "#lib/content/regions.ts";
import { type PageId, pageUrl, seoPages } from "#lib/content/seo.ts";

/** What the operator configured. */
export interface BusinessIdentity {
  readonly siteUrl: string;
  /** With the country's code: `+821000000000`. */
  readonly telephone: string;
  readonly businessName?: string | undefined;
  readonly businessRegistration?: string | undefined;
  readonly businessAddress?: string | undefined;
  readonly businessEmail?: string | undefined;
  /** Its other pages: a place on a map, a blog, a channel. */
  readonly businessLinks: readonly string[];
}

const CURRENCY = "KRW";

const businessId = (siteUrl: string) => `${siteUrl}/#business`;

function areaNode({ official, province, romanised }: Region): City | AdministrativeArea {
  const place = {
    name: official,
    alternateName: romanised,
    ...(province && {
      containedInPlace: { "@type": "AdministrativeArea" as const, name: province },
    }),
  };
  return official.endsWith("시")
    ? { "@type": "City", ...place }
    : { "@type": "AdministrativeArea", ...place };
}

function offerNode(siteUrl: string, { id, title, price }: Offer): OfferNode {
  const url = pageUrl(siteUrl, seoPages.pricing);
  return {
    "@type": "Offer",
    "@id": `${url}#${id}`,
    name: `${title} ${priceBlock.hours}`,
    url,
    price,
    priceCurrency: CURRENCY,
    itemOffered: { "@type": "Service", name: title, serviceType: business.service },
  };
}

function priceRange(): string {
  const prices = offers.map((offer) => offer.price);
  return [...new Set([Math.min(...prices), Math.max(...prices)])].map(won).join("~");
}

function businessNode(identity: BusinessIdentity): LocalBusiness {
  const { siteUrl, telephone, businessName, businessRegistration, businessAddress } = identity;
  const { businessEmail, businessLinks } = identity;
  return {
    "@type": "LocalBusiness",
    "@id": businessId(siteUrl),
    name: business.name,
    ...(businessName && { legalName: businessName }),
    description: seoPages.home.description,
    url: siteUrl,
    telephone,
    ...(businessEmail && { email: businessEmail }),
    // The country is certain: the regions are Korean.
    address: {
      "@type": "PostalAddress",
      addressCountry: "KR",
      ...(businessAddress && { streetAddress: businessAddress }),
    },
    ...(businessRegistration && { taxID: businessRegistration }),
    ...(businessLinks.length > 0 && { sameAs: businessLinks }),
    areaServed: regions.map(areaNode),
    image: new URL(openGraphImages.home.file, siteUrl).href,
    logo: `${siteUrl}/icons/icon-512.png`,
    priceRange: priceRange(),
    makesOffer: offers.map((offer) => offerNode(siteUrl, offer)),
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
  return {
    "@type": "BreadcrumbList",
    itemListElement: [seoPages.home, seoPages[id]].map((page, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name: page.name,
      item: pageUrl(siteUrl, page),
    })),
  };
}

/** The pages on which a visitor decides. */
const OF_THE_BUSINESS: readonly PageId[] = ["home", "pricing", "contact"];

/** Everything that a page tells, as one JSON-LD graph. */
export function structuredData(id: PageId, identity: BusinessIdentity): Graph {
  const nodes: Thing[] = OF_THE_BUSINESS.includes(id) ? [businessNode(identity)] : [];
  nodes.push(id === "home" ? websiteNode(identity.siteUrl) : breadcrumbs(identity.siteUrl, id));
  return { "@context": "https://schema.org", "@graph": nodes };
}
