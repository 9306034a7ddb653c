import { applicationFormTexts } from "#lib/content/application-form.ts";
import { receiptTexts } from "#lib/content/application-result.ts";
import { keptBoxTexts } from "#lib/content/kept-box.ts";
import { plainText } from "#lib/content/text-notation.ts";
import { fillTabForm, openTabForm } from "#testing/browser/engines/application.ts";
import type { Tab } from "#testing/browser/engines/tab.ts";
import {
  expect,
  PHONE_WINDOW,
  SERVER_DOWN_MESSAGE_PATTERN,
  test,
} from "#testing/browser/engines/test.ts";
import { expectMailedOnce, stopTimers } from "#testing/browser/kept-application.ts";
import { FaultyProxy } from "#testing/peers/faulty-proxy.ts";
import type { Site } from "#testing/site/site.ts";

const waitForActiveServiceWorker = (tab: Tab) =>
  tab.until(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return registration?.active?.state === "activated";
  });

/** Waits until the service worker has cached the pages. A reload repeats a failed installation. */
async function waitForCachedPages(tab: Tab): Promise<void> {
  try {
    await waitForActiveServiceWorker(tab);
  } catch {
    await tab.reload();
    await tab.waitForHydration();
    await waitForActiveServiceWorker(tab);
  }
}

async function submitOffline(tab: Tab, site: Site, name: string): Promise<void> {
  await openTabForm(tab, site.url);
  await waitForCachedPages(tab);
  await fillTabForm(tab, "main", name);
  await site.end("SIGKILL");
  await tab.click("main [type=submit]");
  // The heading breaks its line on phones.
  await tab.until(() =>
    /이 기기에\s*보관/.test(document.querySelector("main h2")?.textContent ?? ""),
  );
}

test.beforeEach(({ quiet }) => quiet(SERVER_DOWN_MESSAGE_PATTERN));
test.afterEach(async ({ site }) => {
  if (!site.isRunning) await site.startAgain();
});

test("an application kept during an outage of the server arrives once [34]", async ({
  tab,
  site,
  smtp,
}) => {
  await tab.resize(PHONE_WINDOW);
  await submitOffline(tab, site, "꺼진여주");
  // WebKit freezes a page when the visitor leaves. The frozen page must not block the next page's database.
  for (const path of ["/contact", "/pricing"]) {
    await tab.open(site.url + path);
    await tab.run(() => scrollTo({ top: 600, behavior: "instant" }));
    const before = await tab.boxOf("footer");
    await tab.until(() => document.querySelector("[role=status] button") !== null);
    // Chromium scrolls by whole pixels, but the height of the notice box has a fraction.
    const moved = async () => Math.abs((await tab.boxOf("footer")).top - before.top);
    await expect.poll(moved).toBeLessThan(1);
  }
  await tab.boxOf("[role=status] p", plainText(keptBoxTexts.title));
  await tab.run(stopTimers);
  await site.startAgain();
  await tab.click("[role=status] button", keptBoxTexts.now);
  await tab.boxOf("main p, .notice-boxes p", receiptTexts.title);
  await expectMailedOnce(smtp, "꺼진여주");
  await tab.reload();
  await tab.waitForHydration();
  await expectMailedOnce(smtp, "꺼진여주");
});

test("a reload during a submission makes no second application", {
  tag: ["@full", "@firefox"],
}, async ({ tab, site, smtp }) => {
  await using proxy = await FaultyProxy.inFrontOf(site);
  await tab.resize(PHONE_WINDOW);
  await openTabForm(tab, proxy.url);
  await fillTabForm(tab, "main", "다시여주");
  proxy.fault = "hang-before";
  await tab.click("main [type=submit]");
  await tab.boxOf("main button", applicationFormTexts.busy);
  await tab.reload();
  // Firefox refills the fields after a reload. The form clears values that are already submitted.
  await tab.until(() => {
    const form = document.querySelector<HTMLFormElement>("main form[data-ready]");
    return form !== null && new FormData(form).get("name") === "";
  });
  proxy.fault = "none";
  await tab.reload();
  await tab.boxOf("main p, .notice-boxes p", receiptTexts.title);
  await expectMailedOnce(smtp, "다시여주");
});

test("Back makes no second application of what another form has sent [86]", {
  tag: "@webkit",
}, async ({ tab, site, smtp }) => {
  await tab.resize(PHONE_WINDOW);
  await tab.open(site.url);
  await tab.waitForHydration();
  await tab.click("main a[aria-haspopup=dialog]");
  await tab.boxOf("dialog[open] form[data-ready]");
  await fillTabForm(tab, "dialog", "되돌여주");
  await tab.run((path) => location.assign(path), "/contact");
  // The path is checked too, because the page that is being left also has such a form: its dialog.
  await tab.until(() => {
    const form = document.querySelector<HTMLFormElement>("main form[data-ready]");
    const isThere = location.pathname === "/contact" && form !== null;
    return isThere && new FormData(form).get("name") === "되돌여주";
  });
  await tab.click("main [type=submit]");
  await tab.boxOf("main h2", receiptTexts.title);
  await expectMailedOnce(smtp, "되돌여주");
  await tab.back();
  await tab.until(() => location.pathname === "/" && Reflect.has(globalThis, "__next_f"));
  await tab.waitForHydration();
  if (await tab.run(() => document.querySelector("dialog[open]") === null))
    await tab.click("main a[aria-haspopup=dialog]");
  await tab.until(() => {
    const form = document.querySelector<HTMLFormElement>("dialog[open] form[data-ready]");
    return form !== null && new FormData(form).get("name") === "";
  });
});
