import type { Page } from "@playwright/test";

declare global {
  var spoken: string[];
}

/** Records what a screen reader would announce on every page that is opened later. */
export function recordAnnouncements(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    globalThis.spoken = [];
    const LIVE = "[role=status], [role=alert]";
    const note = (text: string | null | undefined) => text && globalThis.spoken.push(text);
    new MutationObserver((records) => {
      const regions = new Set<Element>();
      for (const { target, addedNodes } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        const region = element?.closest(LIVE);
        if (region) regions.add(region);
        for (const node of addedNodes) {
          if (!(node instanceof Element)) continue;
          // A screen reader reads an alert when it appears, and a status only when its text changes.
          if (node.matches("[role=alert]")) regions.add(node);
          for (const alert of node.querySelectorAll("[role=alert]")) regions.add(alert);
        }
      }
      for (const region of regions) note(region.textContent);
    }).observe(document, { childList: true, characterData: true, subtree: true });
  });
}

export async function listAnnouncements(page: Page, part: string): Promise<string[]> {
  const texts = await page.evaluate(() => globalThis.spoken);
  return texts.filter((text) => text.includes(part));
}
