import type { Page } from "@playwright/test";

/** As Safari: it does not hold the text still when something above it changes its height. */
export async function withoutScrollAnchoring(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const supports = CSS.supports.bind(CSS);
    CSS.supports = (...query: [string, string?]) =>
      query[0] !== "overflow-anchor" && supports(query[0], query[1] ?? "");
    // Whichever element the window takes its own from.
    const none = new CSSStyleSheet();
    none.replaceSync("html, body { overflow-anchor: none }");
    document.adoptedStyleSheets.push(none);
  });
}
