/**
 * Structured data (schema.org) for Google and Naver, with only what the business stated or configured: no rating, no
 * review, no opening hours. Undefined values are left out of the JSON.
 */
import type { AdministrativeArea, Graph, LocalBusiness } from "schema-dts";
import { business } from "#lib/content/business.ts";
import { type PageId, pages, pageUrl } from "#lib/content/pages.ts";
import { formatWon, offers } from "#lib/content/prices.ts";
import { priceBlock } from "#lib/content/pricing-page.ts";
import { regions } from "#lib/content/regions.ts";

export interface BusinessIdentity {
  readonly siteUrl: string;
  /** The number with its country code: `+821000000000`. */
  readonly telephone: string;
  /** The full address of a picture on the site. */
  readonly image: string;
  readonly businessName?: string | undefined;
  readonly businessRegistration?: string | undefined;
  readonly businessAddress?: string | undefined;
  readonly businessEmail?: string | undefined;
  readonly instructorName?: string | undefined;
  /** The full address of the instructor's picture. */
  readonly instructorImage?: string | undefined;
  /** Addresses of the business on other sites, such as a map or a blog. */
  readonly businessLinks: readonly string[];
}

const BUSINESS_PAGES: readonly PageId[] = ["home", "pricing", "contact"];

export function structuredData(id: PageId, identity: BusinessIdentity): Graph {
  const { siteUrl } = identity;
  return {
    "@context": "https://schema.org",
    "@graph": [
      ...(BUSINESS_PAGES.includes(id) ? [localBusiness(identity)] : []),
      id === "home"
        ? {
            // Google shows the site under the name of this node.
            "@type": "WebSite",
            "@id": `${siteUrl}/#website`,
            name: business.name,
            url: siteUrl,
            inLanguage: "ko-KR",
            publisher: { "@id": businessId(siteUrl) },
          }
        : {
            "@type": "BreadcrumbList",
            itemListElement: [{ ...pages.home, name: business.name }, pages[id]].map(
              (page, index) => ({
                "@type": "ListItem",
                position: index + 1,
                name: page.name,
                item: pageUrl(siteUrl, page),
              }),
            ),
          },
    ],
  };
}

const businessId = (siteUrl: string) => `${siteUrl}/#business`;

function localBusiness(identity: BusinessIdentity): LocalBusiness {
  const { siteUrl, telephone, image, businessName, businessRegistration } = identity;
  const { businessAddress, businessEmail, businessLinks, instructorName, instructorImage } =
    identity;
  const prices = offers.map((offer) => offer.price);
  return {
    "@type": "LocalBusiness",
    "@id": businessId(siteUrl),
    name: business.name,
    ...(businessName && { legalName: businessName }),
    description: pages.home.description,
    url: siteUrl,
    telephone,
    ...(businessEmail && { email: businessEmail }),
    // Google requires an address, so it has at least the country if the business gives no street.
    address: {
      "@type": "PostalAddress",
      addressCountry: "KR",
      ...(businessAddress && { streetAddress: businessAddress }),
    },
    ...(businessRegistration && { taxID: businessRegistration }),
    ...(businessLinks.length > 0 && { sameAs: businessLinks }),
    ...(instructorName && {
      employee: {
        "@type": "Person",
        name: instructorName,
        ...(instructorImage && { image: instructorImage }),
      },
    }),
    areaServed: regions.map(placeOf),
    image,
    logo: `${siteUrl}/icons/icon-512.png`,
    priceRange: [...new Set([Math.min(...prices), Math.max(...prices)])].map(formatWon).join("~"),
    makesOffer: offers.map((offer) => ({
      "@type": "Offer",
      name: `${offer.title} ${priceBlock.hours}`,
      url: pageUrl(siteUrl, pages.pricing),
      price: offer.price,
      priceCurrency: "KRW",
      itemOffered: { "@type": "Service", name: offer.title, serviceType: business.service },
    })),
  };
}

function placeOf({ official, province }: (typeof regions)[number]): AdministrativeArea {
  const within = province && ({ "@type": "AdministrativeArea", name: province } as const);
  return {
    "@type": official.endsWith("시") ? "City" : "AdministrativeArea",
    name: official,
    ...(within && { containedInPlace: within }),
  };
}
