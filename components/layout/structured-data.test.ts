import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { StructuredData } from "#components/layout/structured-data.tsx";

test("no text in the structured data ends its script", () => {
  const name = "</script><script>alert(1)</script>";
  const html = renderToStaticMarkup(
    createElement(StructuredData, {
      graph: { "@context": "https://schema.org", "@graph": [{ "@type": "Organization", name }] },
    }),
  );
  expect(html.match(/<\/?script/g)).toHaveLength(2);
  const json = html.replace(/^<script[^>]*>|<\/script>$/g, "");
  expect(JSON.parse(json)["@graph"][0].name).toBe(name);
});
