import type { Graph } from "schema-dts";

/** JSON-LD for search engines. It is data that no browser runs; `<` is escaped so that no text can end the script. */
export function StructuredData({ graph }: { graph: Graph }) {
  const json = JSON.stringify(graph).replace(/</g, "\\u003c");
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}
