import { success } from "#lib/content/dialog-result.ts";
import { API, fillForm, openContact } from "#testing/form.ts";
import { expect, test } from "#testing/test.ts";

/** What a browser of two years ago may be without; each is taken out of this one before the page's first script. */
const FEATURES: [name: string, takeOut: () => void][] = [
  ["Web Locks", () => Reflect.deleteProperty(Navigator.prototype, "locks")],
  ["requestIdleCallback", () => Reflect.deleteProperty(globalThis, "requestIdleCallback")],
  [
    "paint entries, though it says that it has them",
    () => {
      const { observe } = PerformanceObserver.prototype;
      PerformanceObserver.prototype.observe = function (options) {
        if (options?.type !== "paint") observe.call(this, options);
      };
      performance.getEntriesByType = () => [];
    },
  ],
  [
    "popover",
    () => {
      for (const name of ["popover", "showPopover", "hidePopover", "togglePopover"])
        Reflect.deleteProperty(HTMLElement.prototype, name);
      Reflect.deleteProperty(HTMLButtonElement.prototype, "popoverTargetElement");
      CSS.supports = () => false;
    },
  ],
  ["IndexedDB", () => Reflect.deleteProperty(globalThis, "indexedDB")],
  [
    "IndexedDB's list of databases",
    () => Reflect.deleteProperty(IDBFactory.prototype, "databases"),
  ],
  ["BroadcastChannel", () => Reflect.deleteProperty(globalThis, "BroadcastChannel")],
];

for (const [name, takeOut] of FEATURES) {
  test(`without ${name} both forms are sent, and what could not be sent is, once`, async ({
    page,
    site,
    smtp,
    twilio,
    quiet,
  }) => {
    quiet(/Failed to load resource/);
    const visitor = `없는${FEATURES.findIndex(([each]) => each === name)}여주`;
    const mails = () => smtp.mails.filter((mail) => mail.parsed.subject?.includes(visitor));
    await page.addInitScript(takeOut);
    await page.route(API, (route) => route.abort());
    const form = await openContact(page, site.url);
    await fillForm(form, { name: visitor });
    await form.locator("[type=submit]").click();
    if (name === "IndexedDB") {
      // Nothing can be kept durably: the visitor hears so, and the form still has it.
      await expect(form.getByRole("alert")).toContainText("오류가 발생했습니다");
      await page.unroute(API);
      await form.locator("[type=submit]").click();
    } else {
      await expect(form.getByText(/이 기기에\s*보관/).first()).toBeVisible();
      await page.unroute(API);
      await page.goto(`${site.url}/pricing`);
    }
    await expect.poll(() => mails().length).toBe(1);

    await page.goto(site.url);
    await page.locator("main a[aria-haspopup=dialog]").first().click();
    const dialog = page.getByRole("dialog");
    await fillForm(dialog, { name: visitor });
    await dialog.locator("[type=submit]").click();
    await expect(page.getByText(success.toast)).toBeVisible();
    await expect
      .poll(() => twilio.messages.filter(({ body }) => body.includes(visitor)).length)
      .toBe(1);
    expect(mails()).toHaveLength(1);
  });
}
