import type { Page } from "@playwright/test";

/** Presses Tab `count` times, and returns the name of each focused element, as a screen reader reads it. */
export async function collectTabStops(page: Page, count: number): Promise<string[]> {
  const stops: string[] = [];
  for (let index = 0; index < count; index += 1) {
    await page.keyboard.press("Tab");
    stops.push(await readFocusedName(page));
  }
  return stops;
}

export async function readFocusedName(page: Page): Promise<string> {
  const focused = page.locator("*:focus");
  if ((await focused.count()) === 0) return "";
  const snapshot = await focused.ariaSnapshot();
  return /(?:"|- text: )([^"]*)/.exec(snapshot)?.[1] ?? snapshot;
}
