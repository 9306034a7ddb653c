import { z } from "zod";

export type SchemaNode = { "@type": string; [property: string]: unknown };

const graphSchema = z.strictObject({
  "@context": z.literal("https://schema.org"),
  "@graph": z.array(z.looseObject({ "@type": z.string() })),
});

/** The nodes of a page's JSON-LD. @throws if the JSON is not one graph of schema.org */
export function parseGraph(json: string): SchemaNode[] {
  return graphSchema.parse(JSON.parse(json))["@graph"];
}
