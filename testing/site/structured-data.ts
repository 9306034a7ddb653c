/** Checks structured data as search engines do. The types of schema-dts check the names against schema.org. */
import Validator from "@adobe/structured-data-validator";
import { z } from "zod";

export type SchemaNode = { "@type": string; [property: string]: unknown };

const graph = z.strictObject({
  "@context": z.literal("https://schema.org"),
  "@graph": z.array(z.looseObject({ "@type": z.string() })),
});

/** The nodes of a page's JSON-LD. @throws if the JSON is not one graph of schema.org */
export function parseGraph(json: string): SchemaNode[] {
  return graph.parse(JSON.parse(json))["@graph"];
}

/** Lists missing fields that Google requires. Adobe's validator does not know LocalBusiness, checked below. */
export async function listMissingFields(nodes: readonly SchemaNode[]): Promise<string[]> {
  const jsonld = Object.fromEntries(
    nodes.map(({ "@type": type }) => [type, nodes.filter((node) => node["@type"] === type)]),
  );
  const issues = await new Validator().validate({ jsonld });
  const business = nodes
    .filter((node) => node["@type"] === "LocalBusiness")
    .flatMap((node) => ["name", "address"].filter((field) => !node[field]))
    .map((field) => `LocalBusiness: ${field} is missing`);
  return [
    ...issues.map(({ rootType, issueMessage }) => `${rootType}: ${issueMessage}`),
    ...business,
  ];
}
