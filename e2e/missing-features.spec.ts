/**
 * Tests the forms without features that a two-year-old browser may lack, and without permissions that a browser may
 * deny. `npm test` removes all features together, and all permissions together; `npm run test:long` one at a time.
 */
import type { Page } from "@playwright/test";
import {
  FORM_URLS,
  fillForm,
  openContact,
  openDialog,
  shownReceipt,
} from "#testing/browser/form.ts";
import {
  expectMailedOnce,
  expectTextedOnce,
  listMails,
} from "#testing/browser/kept-application.ts";
import { expect, test } from "#testing/browser/test.ts";
import type { SiteWithPeers } from "#testing/site/site-with-peers.ts";

interface Feature {
  name: string;
  /** Removes the feature before the first script of the page runs. */
  remove: (page: Page) => Promise<unknown>;
}

/** Removes interfaces by their paths. Reading a forbidden interface throws, as in Firefox without cookies. */
const withoutInterfaces = (
  name: string,
  paths: readonly string[],
  isForbidden = false,
): Feature => ({
  name,
  remove: (page) =>
    page.addInitScript(
      ([places, forbidden]) => {
        const get = () => {
          throw new DOMException("no", "SecurityError");
        };
        for (const place of places) {
          const names = place.split(".");
          const last = names.pop() ?? "";
          const owner = names.reduce<object>((of, each) => Reflect.get(of, each), globalThis);
          if (forbidden) Object.defineProperty(owner, last, { get });
          else Reflect.deleteProperty(owner, last);
        }
      },
      [paths, isForbidden] as const,
    ),
});

const DENIED_FEATURES: readonly Feature[] = [
  withoutInterfaces("permission for IndexedDB", ["indexedDB"], true),
  withoutInterfaces("permission for session storage", ["sessionStorage", "localStorage"], true),
  withoutInterfaces("permission for BroadcastChannel", ["BroadcastChannel"], true),
  withoutInterfaces("permission for service workers", ["Navigator.prototype.serviceWorker"], true),
];

const MISSING_FEATURES: readonly Feature[] = [
  withoutInterfaces("requestIdleCallback", ["requestIdleCallback"]),
  withoutInterfaces("IndexedDB's list of databases", ["IDBFactory.prototype.databases"]),
  withoutInterfaces("BroadcastChannel", ["BroadcastChannel"]),
  {
    name: "paint entries, though PerformanceObserver exists",
    remove: (page) =>
      page.addInitScript(() => {
        const { observe } = PerformanceObserver.prototype;
        PerformanceObserver.prototype.observe = function (options) {
          if (options?.type !== "paint") observe.call(this, options);
        };
        performance.getEntriesByType = () => [];
      }),
  },
  {
    name: "popover",
    remove: (page) =>
      page.addInitScript(() => {
        for (const name of ["popover", "showPopover", "hidePopover", "togglePopover"])
          Reflect.deleteProperty(HTMLElement.prototype, name);
        Reflect.deleteProperty(HTMLButtonElement.prototype, "popoverTargetElement");
        CSS.supports = () => false;
      }),
  },
];

async function expectFormsSentWithout(
  features: readonly Feature[],
  visitor: string,
  { page, site, smtp, twilio }: SiteWithPeers & { page: Page },
): Promise<void> {
  for (const { remove } of features) await remove(page);
  await page.route(FORM_URLS, (route) => route.abort());
  const form = await openContact(page, site.url);
  await fillForm(form, { name: visitor });
  await form.locator("[type=submit]").click();
  if (features.some(({ name }) => name === "permission for IndexedDB")) {
    const box = form.getByRole("alert").filter({ hasText: "오류가 발생했습니다" });
    await expect(box).toBeVisible();
    await page.unroute(FORM_URLS);
    await form.locator("[type=submit]").click();
  } else {
    await expect(form.getByText(/이 기기에\s*보관/).first()).toBeVisible();
    await page.unroute(FORM_URLS);
    await page.goto(`${site.url}/pricing`);
  }
  await expectMailedOnce(smtp, visitor);

  const dialog = await openDialog(page, site.url);
  await fillForm(dialog, { name: visitor });
  await dialog.locator("[type=submit]").click();
  await expect(shownReceipt(page)).toBeVisible();
  await expectTextedOnce(twilio, visitor);
  expect(listMails(smtp, visitor)).toHaveLength(1);
}

test.beforeEach(({ quiet }) => quiet(/Failed to load resource/));

for (const [what, features] of [
  ["the features of the last two years", MISSING_FEATURES],
  ["permission to store data", DENIED_FEATURES],
] as const)
  test(`both forms send applications without ${what} [60][70]`, ({ page, site, smtp, twilio }) =>
    expectFormsSentWithout(features, `없는${features.length}여주`, { page, site, smtp, twilio }));

for (const [index, feature] of [...MISSING_FEATURES, ...DENIED_FEATURES].entries())
  test(
    `both forms send applications without ${feature.name} [60]`,
    { tag: "@full" },
    ({ page, site, smtp, twilio }) =>
      expectFormsSentWithout([feature], `다른${index}여주`, { page, site, smtp, twilio }),
  );
