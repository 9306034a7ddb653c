import { expect, test } from "vitest";
import { business } from "#lib/content/business.ts";
import { pageIds } from "#lib/content/pages.ts";
import { offers } from "#lib/content/prices.ts";
import { regions } from "#lib/content/regions.ts";
import { type BusinessIdentity, structuredData } from "#lib/content/structured-data.ts";
import { parseGraph } from "#testing/site/structured-data.ts";

const withoutFacts: BusinessIdentity = {
  siteUrl: "https://practice.example",
  telephone: "+821012345678",
  image: "https://practice.example/previews/home.jpg",
  businessLinks: [],
};
const withFacts: BusinessIdentity = {
  ...withoutFacts,
  businessName: "차근차근상사",
  businessRegistration: "123-45-67890",
  businessAddress: "경기도 이천시 어느길 1",
  businessEmail: "hello@practice.example",
  instructorName: "김연수 강사",
  instructorImage: "https://practice.example/instructor-photo?0123456789ab",
  businessLinks: ["https://blog.example/practice"],
};

const graphOf = (id: (typeof pageIds)[number], identity: BusinessIdentity) =>
  parseGraph(JSON.stringify(structuredData(id, identity)));
const nodesOf = (identity: BusinessIdentity) => pageIds.flatMap((id) => graphOf(id, identity));

test("structured data has only the facts of the business that are configured", () => {
  const [unknown] = nodesOf(withoutFacts);
  for (const claim of ["legalName", "taxID", "email", "sameAs", "employee"])
    expect(unknown).not.toHaveProperty(claim);
  expect(unknown?.name).toBe(business.name);
  expect(unknown?.address).toEqual({ "@type": "PostalAddress", addressCountry: "KR" });
  expect(nodesOf(withFacts)[0]).toMatchObject({
    legalName: "차근차근상사",
    taxID: "123-45-67890",
    email: "hello@practice.example",
    sameAs: withFacts.businessLinks,
    address: { streetAddress: "경기도 이천시 어느길 1" },
    employee: { name: "김연수 강사", image: withFacts.instructorImage },
  });
});

test("structured data contains no ratings, reviews, opening hours or FAQ", () => {
  const text = JSON.stringify(nodesOf(withFacts));
  expect(text).not.toMatch(/"(\w*[rR]ating|reviews?|openingHours\w*)":|FAQPage/);
});

test("the structured data of home, pricing and contact name each course's price", () => {
  const prices = offers.map(({ price }) => ({ "@type": "Offer", price, priceCurrency: "KRW" }));
  for (const id of ["home", "pricing", "contact"] as const)
    expect(graphOf(id, withoutFacts)[0]).toMatchObject({ makesOffer: prices });
});

test("only a city has the type City in the structured data", () => {
  const areas = JSON.stringify(nodesOf(withoutFacts)[0]?.areaServed);
  for (const { official } of regions) {
    const type = official.at(-1) === "시" ? "City" : "AdministrativeArea";
    expect(areas).toContain(`{"@type":"${type}","name":"${official}"`);
  }
});

test("breadcrumbs lead from the home page to every other page", () => {
  const ways = nodesOf(withoutFacts).filter((node) => node["@type"] === "BreadcrumbList");
  expect(ways).toHaveLength(pageIds.length - 1);
  for (const { itemListElement } of ways)
    expect(itemListElement).toMatchObject([
      { position: 1, name: business.name, item: withoutFacts.siteUrl },
      {
        position: 2,
        name: expect.any(String),
        item: expect.stringContaining(withoutFacts.siteUrl),
      },
    ]);
});
