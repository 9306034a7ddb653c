/** What a browser of two years ago may be without: all at once in `npm test`, one at a time in `npm run test:long`. */
import { expect, type Page } from "@playwright/test";
import { success } from "#lib/content/application-result.ts";
import { eventually } from "#testing/eventually.ts";
import { API, fillForm, openContact } from "#testing/form.ts";
import type { SmtpPeer } from "#testing/peers/smtp-peer.ts";
import type { TwilioPeer } from "#testing/peers/twilio-peer.ts";
import type { Site } from "#testing/site.ts";

export interface Feature {
  name: string;
  /** Runs before the page's first script. */
  takeOut: () => void;
}

export const INDEXED_DB: Feature = {
  name: "IndexedDB",
  takeOut: () => Reflect.deleteProperty(globalThis, "indexedDB"),
};

/** A browser that has an interface and forbids it, as Firefox does when all cookies are blocked. */
export const FORBIDDEN: readonly Feature[] = [
  {
    name: "permission for IndexedDB",
    takeOut: () =>
      Object.defineProperty(globalThis, "indexedDB", {
        get: () => {
          throw new DOMException("no", "SecurityError");
        },
      }),
  },
  {
    name: "permission for session storage",
    takeOut: () => {
      for (const name of ["sessionStorage", "localStorage"])
        Object.defineProperty(globalThis, name, {
          get: () => {
            throw new DOMException("no", "SecurityError");
          },
        });
    },
  },
  {
    name: "permission for BroadcastChannel",
    takeOut: () => {
      globalThis.BroadcastChannel = class extends EventTarget {
        constructor() {
          super();
          throw new DOMException("no", "SecurityError");
        }
      } as never;
    },
  },
  {
    name: "permission for Web Locks",
    takeOut: () => {
      LockManager.prototype.request = () => Promise.reject(new DOMException("no", "SecurityError"));
    },
  },
  {
    name: "permission for service workers",
    takeOut: () =>
      Object.defineProperty(Navigator.prototype, "serviceWorker", {
        get: () => {
          throw new DOMException("no", "SecurityError");
        },
      }),
  },
];

/** Without these nothing is kept: the visitor hears so. */
const KEEPS_NOTHING: readonly string[] = [INDEXED_DB.name, "permission for IndexedDB"];

export const FEATURES: readonly Feature[] = [
  { name: "Web Locks", takeOut: () => Reflect.deleteProperty(Navigator.prototype, "locks") },
  {
    name: "requestIdleCallback",
    takeOut: () => Reflect.deleteProperty(globalThis, "requestIdleCallback"),
  },
  {
    name: "paint entries, though it says that it has them",
    takeOut: () => {
      const { observe } = PerformanceObserver.prototype;
      PerformanceObserver.prototype.observe = function (options) {
        if (options?.type !== "paint") observe.call(this, options);
      };
      performance.getEntriesByType = () => [];
    },
  },
  {
    name: "popover",
    takeOut: () => {
      for (const name of ["popover", "showPopover", "hidePopover", "togglePopover"])
        Reflect.deleteProperty(HTMLElement.prototype, name);
      Reflect.deleteProperty(HTMLButtonElement.prototype, "popoverTargetElement");
      CSS.supports = () => false;
    },
  },
  {
    name: "IndexedDB's list of databases",
    takeOut: () => Reflect.deleteProperty(IDBFactory.prototype, "databases"),
  },
  {
    name: "BroadcastChannel",
    takeOut: () => Reflect.deleteProperty(globalThis, "BroadcastChannel"),
  },
];

interface Parts {
  page: Page;
  site: Site;
  smtp: SmtpPeer;
  twilio: TwilioPeer;
}

/** Without these features both forms are sent, and what could not be sent is later, once. */
export async function expectFormsSentWithout(
  features: readonly Feature[],
  visitor: string,
  { page, site, smtp, twilio }: Parts,
): Promise<void> {
  const mails = () => smtp.mails.filter((mail) => mail.parsed.subject?.includes(visitor));
  for (const { takeOut } of features) await page.addInitScript(takeOut);
  await page.route(API, (route) => route.abort());
  const form = await openContact(page, site.url);
  await fillForm(form, { name: visitor });
  await form.locator("[type=submit]").click();
  if (features.some(({ name }) => KEEPS_NOTHING.includes(name))) {
    // Nothing can be kept durably: the visitor hears so, and the form still has it.
    const box = form.getByRole("alert").filter({ hasText: "오류가 발생했습니다" });
    await expect(box).toBeVisible();
    await page.unroute(API);
    await form.locator("[type=submit]").click();
  } else {
    await expect(form.getByText(/이 기기에\s*보관/).first()).toBeVisible();
    await page.unroute(API);
    await page.goto(`${site.url}/pricing`);
  }
  await eventually(() => mails().length).toBe(1);

  await page.goto(site.url);
  await page.locator("main a[aria-haspopup=dialog]").first().click();
  const dialog = page.getByRole("dialog");
  await fillForm(dialog, { name: visitor });
  await dialog.locator("[type=submit]").click();
  await expect(page.getByText(success.toast)).toBeVisible();
  await eventually(() => twilio.messages.filter(({ body }) => body.includes(visitor)).length).toBe(
    1,
  );
  expect(mails()).toHaveLength(1);
}
