import type { Page } from "@playwright/test";

/** Waits for hydration, and until the browser has fetched the code that a hydrated page requests when it is idle. */
export async function waitForIdleScripts(page: Page): Promise<void> {
  await waitForHydration(page);
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLScriptElement>("script[src]:not([nomodule])")].every(
      ({ src }) => performance.getEntriesByName(src).length > 0,
    ),
  );
}

/**
 * Closing a dialog goes back in the history, which would cancel the test's next navigation. The wait has a limit,
 * because a dialog that was open during a reload keeps its history entry.
 */
export async function waitForHistoryStep(page: Page): Promise<void> {
  const isPast = () =>
    !("overlay" in (history.state ?? {})) || document.querySelector("dialog[open]") !== null;
  await page.waitForFunction(isPast, undefined, { timeout: 2_000 }).catch(() => undefined);
}

/** Waits until React handles the events of the page; returns at once if the page runs no scripts. */
export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    if (matchMedia("(scripting: none)").matches || document.scripts.length === 0) return true;
    return [...document.querySelectorAll("a, button")].every((element) =>
      Object.keys(element).some((key) => key.startsWith("__reactProps$")),
    );
  });
}
