export const dynamic = "force-static";

/** The pages of the site: asked for when a visitor is about to press a link to one. */
const OWN_PAGES = {
  and: [
    { href_matches: "/*" },
    { not: { href_matches: ["/api/*", "/_next/*", "/art/*", "/contact/result*"] } },
    { not: { selector_matches: "[target=_blank], [aria-haspopup]" } },
  ],
};

/** What the header `Speculation-Rules: "/speculation-rules.json"` of a page names. */
export const GET = () =>
  Response.json(
    { prefetch: [{ where: OWN_PAGES, eagerness: "moderate" }] },
    { headers: { "content-type": "application/speculationrules+json" } },
  );
