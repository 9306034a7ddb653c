import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { PageStructuredData } from "#app/page-metadata.tsx";

test("no text in the structured data can end its script element", () => {
  const name = "</script><script>alert(1)</script>";
  vi.stubEnv("BUSINESS_NAME", name);
  const html = renderToStaticMarkup(createElement(PageStructuredData, { page: "home" }));
  expect(html.match(/<\/?script/g)).toHaveLength(2);
  const json = html.replace(/^<script[^>]*>|<\/script>$/g, "");
  expect(JSON.parse(json)["@graph"][0].legalName).toBe(name);
});
