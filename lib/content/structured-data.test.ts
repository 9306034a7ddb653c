import { describe, expect, test } from "vitest";
import { business } from "#lib/content/business.ts";
import { offers } from "#lib/content/prices.ts";
import { pageIds } from "#lib/content/seo.ts";
import { type BusinessIdentity, structuredData } from "#lib/content/structured-data.ts";
import { graphNodes, requiredFieldFaults, vocabularyFaults } from "#testing/structured-data.ts";

const bare: BusinessIdentity = {
  siteUrl: "https://practice.example",
  telephone: "+821012345678",
  businessLinks: [],
};
const configured: BusinessIdentity = {
  ...bare,
  businessName: "차근차근상사",
  businessRegistration: "123-45-67890",
  businessAddress: "경기도 이천시 어느길 1",
  businessEmail: "hello@practice.example",
  businessLinks: ["https://blog.example/practice"],
};

const nodesOf = (identity: BusinessIdentity) =>
  pageIds.flatMap((id) => graphNodes(JSON.stringify(structuredData(id, identity))));

describe("structured data", () => {
  for (const [kind, identity] of Object.entries({ bare, configured })) {
    test(`of a ${kind} business is schema.org's, with the fields that Google requires`, async () => {
      const nodes = nodesOf(identity);
      expect(await vocabularyFaults(nodes)).toEqual([]);
      expect(await requiredFieldFaults(nodes)).toEqual([]);
    });
  }

  test("claims an address, links and registered names only when they are configured", () => {
    const [unknown] = nodesOf(bare);
    expect(unknown).not.toHaveProperty("legalName");
    expect(unknown).not.toHaveProperty("taxID");
    expect(unknown).not.toHaveProperty("email");
    expect(unknown).not.toHaveProperty("sameAs");
    expect(unknown?.address).toEqual({ "@type": "PostalAddress", addressCountry: "KR" });
    const [known] = nodesOf(configured);
    expect(known).toMatchObject({
      legalName: "차근차근상사",
      taxID: "123-45-67890",
      email: "hello@practice.example",
      sameAs: configured.businessLinks,
      address: { streetAddress: "경기도 이천시 어느길 1" },
    });
  });

  test("rates nothing and reviews nothing", () => {
    expect(JSON.stringify(nodesOf(configured))).not.toMatch(
      /"(\w*[rR]ating|reviews?|openingHours\w*)":/,
    );
  });

  test("offers each course with its price wherever a visitor decides", () => {
    for (const id of ["home", "pricing", "contact"] as const) {
      const [business] = graphNodes(JSON.stringify(structuredData(id, bare)));
      expect(business?.makesOffer).toMatchObject(
        offers.map(({ price }) => ({ "@type": "Offer", price, priceCurrency: "KRW" })),
      );
    }
  });

  test("calls a city a city, and a county none", () => {
    const areas = JSON.stringify(nodesOf(bare)[0]?.areaServed);
    expect(areas).toContain('{"@type":"City","name":"이천시"');
    expect(areas).toContain('{"@type":"AdministrativeArea","name":"양평군"');
  });

  test("leads from the brand to each other page, and says nothing that nobody shows", () => {
    const nodes = nodesOf(configured);
    const ways = nodes.filter((node) => node["@type"] === "BreadcrumbList");
    expect(ways).toHaveLength(pageIds.length - 1);
    for (const { itemListElement } of ways)
      expect(itemListElement).toMatchObject([
        { position: 1, name: business.name },
        { position: 2 },
      ]);
    expect(JSON.stringify(nodes)).not.toContain("FAQPage");
  });
});

describe("the check itself", () => {
  test("finds a property, a type and a value that schema.org does not know, in a node inside a node too", async () => {
    const faults = await vocabularyFaults([
      { "@type": "LocalBusiness", name: "a", phoneNumber: "1" },
      { "@type": "DrivingSchool", name: "a" },
      { "@type": "WebSite", publisher: { "@type": "Organization", "@id": "b", logo: 1 } },
    ]);
    expect(faults.join("\n")).toContain("phoneNumber");
    expect(faults.join("\n")).toContain("DrivingSchool");
    expect(faults.filter((fault) => fault.includes("number"))).not.toEqual([]);
  });

  test("finds a missing required field", async () => {
    expect(
      await requiredFieldFaults([
        { "@type": "LocalBusiness", name: "a" },
        { "@type": "BreadcrumbList", itemListElement: [{ "@type": "ListItem", name: "a" }] },
      ]),
    ).toEqual(expect.arrayContaining(["LocalBusiness: address is missing"]));
  });
});
