import { pagePaths } from "#lib/content/pages.ts";
import { DESKTOP_WINDOW, expect, PHONE_WINDOW, test } from "#testing/browser/engines/test.ts";
import { findTextOverflow } from "#testing/browser/text-overflow.ts";
import { UNKNOWN_PATH } from "#testing/site/pages.ts";

for (const size of [PHONE_WINDOW, DESKTOP_WINDOW]) {
  test.describe(`a window of ${size.width} px`, () => {
    test.beforeEach(({ tab }) => tab.resize(size));

    test("every page fits the width of the window", {
      tag: size === PHONE_WINDOW ? "@webkit" : "@full",
    }, async ({ tab, site, quiet }) => {
      quiet(/404/);
      for (const path of [...pagePaths, UNKNOWN_PATH]) {
        await tab.open(site.url + path);
        await tab.waitForHydration();
        await tab.boxOf("h1");
        const { family, over } = await tab.run(() => ({
          family: getComputedStyle(document.body).fontFamily,
          over: document.documentElement.scrollWidth - innerWidth,
        }));
        expect(family).toMatch(/^"?Site pages/);
        expect(over).toBeLessThanOrEqual(0);
        if (size !== PHONE_WINDOW) continue;
        await tab.run(() => document.documentElement.style.setProperty("font-size", "200%"));
        expect(await tab.run(findTextOverflow), path).toEqual([]);
      }
    });

    test("the lightbox does not move the page behind", {
      tag: "@full",
    }, async ({ tab, site }) => {
      await tab.open(`${site.url}/gallery`);
      await tab.waitForHydration();
      const before = await tab.boxOf("h1");
      await tab.click("main a[aria-haspopup=dialog]");
      await tab.boxOf("dialog[open] p", "1 / 6");
      const look = await tab.run(() => {
        const lightbox = document.querySelector("dialog[open]");
        return {
          ring: lightbox?.querySelector(":focus-visible")?.outerHTML ?? null,
          sideways: lightbox && lightbox.scrollWidth - lightbox.clientWidth,
          corners: lightbox && getComputedStyle(lightbox).borderRadius,
        };
      });
      // A click must not show a focus ring. Round corners would uncover the page under the lightbox.
      expect(look).toEqual({ ring: null, sideways: 0, corners: "0px" });
      expect((await tab.boxOf("h1")).left).toBe(before.left);
      await tab.pressKey("ArrowRight");
      await tab.boxOf("dialog[open] p", "2 / 6");
      await tab.pressKey("Escape");
      await tab.until(() => !document.querySelector("dialog[open]"));
      expect((await tab.boxOf("h1")).left).toBe(before.left);
      expect(await tab.run(() => document.activeElement?.getAttribute("aria-haspopup"))).toBe(
        "dialog",
      );
    });
  });
}

test("no page overflows when the system enlarges text [88]", {
  tag: "@webkit",
}, async ({ tab, site, engineName }) => {
  test.skip(engineName !== "webkit", "no other engine here enlarges text alone");
  for (const path of [...pagePaths, UNKNOWN_PATH]) {
    await tab.open(site.url + path);
    for (const width of [360, 390]) {
      await tab.resize({ width, height: 740 });
      for (const zoom of [1.3, 1.5, 2]) {
        await tab.run((zoom) => {
          const { messageHandlers } = Reflect.get(globalThis, "webkit");
          messageHandlers.textZoom.postMessage(zoom);
        }, zoom);
        await tab.until(
          (width, size) =>
            innerWidth === width &&
            Math.abs(Number.parseFloat(getComputedStyle(document.body).fontSize) - size) < 0.1,
          width,
          16 * zoom,
        );
        const where = `${path} at ${width} px, text of ${zoom}`;
        const over = await tab.run(() => document.documentElement.scrollWidth - innerWidth);
        expect(over, where).toBeLessThanOrEqual(0);
        expect(await tab.run(findTextOverflow), where).toEqual([]);
      }
    }
  }
});

test("Back restores pages from the back-forward cache [61]", async ({ tab, site, engineName }) => {
  test.skip(
    engineName === "chromium",
    "Playwright's Chromium has no back-forward cache: see e2e/back.spec.ts",
  );
  await tab.resize(PHONE_WINDOW);
  for (const path of pagePaths) {
    // A request that is under way can keep a page out of the back-forward cache.
    await expect(async () => {
      await tab.open(site.url + path);
      await tab.waitForHydration();
      await tab.until(async () => {
        const before = performance.getEntriesByType("resource").length;
        await new Promise((end) => setTimeout(end, 500));
        const now = performance.getEntriesByType("resource").length;
        return document.readyState === "complete" && now === before;
      });
      await tab.leaveAndReturn(path === "/pricing" ? "/" : "/pricing", "main");
    }).toPass();
  }
});

test("a page that is scrolled while it loads runs its scripts [61]", {
  tag: "@firefox",
}, async ({ tab, site }) => {
  await tab.resize(PHONE_WINDOW);
  for (const path of ["/contact#contact-region", "/#prices", "/contact"]) {
    await tab.open(site.url + path);
    await tab.waitForHydration();
  }
  for (const top of [50, 600]) {
    await tab.run((top: number) => scrollTo({ top, behavior: "instant" }), top);
    await tab.reload();
    await tab.waitForHydration();
  }
});

test("an error on a scrolled page brings the error's heading into view", async ({
  tab,
  site,
  quiet,
}) => {
  quiet(/refused by the test|JSHandle@error/);
  await tab.resize(PHONE_WINDOW);
  await tab.open(`${site.url}/contact`);
  await tab.waitForHydration();
  const toEnd = () =>
    tab.run(() => scrollTo({ top: document.body.scrollHeight, behavior: "instant" }));
  await toEnd();
  await tab.run(() => location.assign("#contact-message"));
  await toEnd();
  await tab.run(() => {
    // React's next update fails, as on a page whose nodes a translation has replaced.
    const { appendChild } = Node.prototype;
    Node.prototype.appendChild = function <Child extends Node>(this: Node, child: Child): Child {
      if (!(this instanceof Element && this.closest("main form")))
        return appendChild.call(this, child) as Child;
      Node.prototype.appendChild = appendChild;
      throw new Error("refused by the test");
    };
    document.querySelector<HTMLElement>("main form [type=submit]")?.click();
  });
  const isHeadingShown = () => {
    const heading = [...document.querySelectorAll("main h1")].find((each) =>
      each.textContent?.includes("막혔습니다"),
    );
    const { top, bottom } = heading?.getBoundingClientRect() ?? { top: -1, bottom: 0 };
    return top >= 0 && bottom <= innerHeight && document.activeElement === heading;
  };
  await tab.until(isHeadingShown);
  await tab.back();
  await tab.until(() => location.hash === "");
  await tab.until(isHeadingShown);
});
