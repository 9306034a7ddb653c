import { describe, expect, test } from "vitest";
import { offers } from "#lib/content/prices.ts";
import { pageIds } from "#lib/content/seo.ts";
import { type BusinessIdentity, structuredData } from "#lib/content/structured-data.ts";
import { graphNodes, requiredFieldFaults, vocabularyFaults } from "#testing/structured-data.ts";

const bare: BusinessIdentity = {
  siteUrl: "https://practice.example",
  telephone: "+821012345678",
  inquiryPhone: "010-1234-5678",
  businessName: undefined,
  businessRegistration: undefined,
  businessAddress: undefined,
  businessEmail: undefined,
};
const configured: BusinessIdentity = {
  ...bare,
  businessName: "차근차근상사",
  businessRegistration: "123-45-67890",
  businessAddress: "경기도 이천시 어느길 1",
  businessEmail: "hello@practice.example",
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

  test("claims an address, a mail address and registered names only when they are configured", () => {
    const [unknown] = nodesOf(bare);
    expect(unknown).not.toHaveProperty("legalName");
    expect(unknown).not.toHaveProperty("taxID");
    expect(unknown).not.toHaveProperty("email");
    expect(unknown?.address).toEqual({ "@type": "PostalAddress", addressCountry: "KR" });
    const [known] = nodesOf(configured);
    expect(known).toMatchObject({
      legalName: "차근차근상사",
      taxID: "123-45-67890",
      email: "hello@practice.example",
      address: { streetAddress: "경기도 이천시 어느길 1" },
    });
  });

  test("rates nothing and reviews nothing", () => {
    expect(JSON.stringify(nodesOf(configured))).not.toMatch(
      /"(\w*[rR]ating|reviews?|openingHours\w*)":/,
    );
  });

  test("offers the three courses with their list prices on /pricing, and names them on the home page", () => {
    const offered = (id: "home" | "pricing") =>
      graphNodes(JSON.stringify(structuredData(id, bare)))[0]?.makesOffer;
    expect(offered("home")).toEqual(
      offers.map(({ id }) => ({ "@id": `https://practice.example/pricing#${id}` })),
    );
    expect(offered("pricing")).toMatchObject(
      offers.map(({ id, price, listPrice }) => ({
        "@id": `https://practice.example/pricing#${id}`,
        price,
        priceCurrency: "KRW",
        priceSpecification: {
          price: listPrice,
          priceCurrency: "KRW",
          priceType: "https://schema.org/ListPrice",
        },
      })),
    );
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
