import AxeBuilder from "@axe-core/playwright";
import { test as base, expect, type Page, type Response } from "@playwright/test";
import { priceBlock } from "#lib/content/pricing-page.ts";
import { waitForHistoryStep, waitForHydration } from "#testing/browser/wait-for-hydration.ts";
import { findPersonalData } from "#testing/hostile/find-personal-data.ts";
import { mailSettings, STATED_SETTINGS, smsSettings } from "#testing/site/settings.ts";
import { type SiteWithPeers, runWithSite as withPeers } from "#testing/site/site-with-peers.ts";

export { expect, mailSettings, smsSettings };

/** The registration number above the button of a form. */
export const ACADEMY_REGISTRATION_PATTERN = new RegExp(
  `${priceBlock.registration} ${STATED_SETTINGS.ACADEMY_REGISTRATION}.*신청서 보내기`,
  "s",
);
export const CALLBACK_PROMISE = STATED_SETTINGS.CALLBACK_PROMISE;

interface TestFixtures {
  errors: string[];
  /** Allows matching console messages. Any other error fails the test. */
  quiet: (expected: RegExp) => void;
}

interface WorkerFixtures extends SiteWithPeers {
  siteWithPeers: SiteWithPeers;
}

/** A test without a browser. All tests of a Playwright worker share a production server, its mail server and Twilio. */
export const testWithSite = base.extend<TestFixtures, WorkerFixtures>({
  siteWithPeers: [async ({}, use) => withPeers(STATED_SETTINGS, use), { scope: "worker" }],
  twilio: [async ({ siteWithPeers }, use) => use(siteWithPeers.twilio), { scope: "worker" }],
  smtp: [async ({ siteWithPeers }, use) => use(siteWithPeers.smtp), { scope: "worker" }],
  site: [async ({ siteWithPeers }, use) => use(siteWithPeers.site), { scope: "worker" }],
  errors: async ({}, use) => use([]),
  quiet: [
    async ({ errors }, use) => {
      const expected: RegExp[] = [];
      await use((pattern) => expected.push(pattern));
      expect(
        errors.filter((error) => !expected.some((pattern) => pattern.test(error))),
        "errors in the browser's console",
      ).toEqual([]);
    },
    { auto: true },
  ],
});

export const test = testWithSite.extend({
  page: async ({ page }, use) => {
    const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
    const navigateAndWait = async (navigate: () => Promise<Response | null>) => {
      await waitForHistoryStep(page);
      const answer = await navigate();
      await waitForHydration(page);
      return answer;
    };
    page.goto = (...address) => navigateAndWait(() => goto(...address));
    page.reload = (...options) => navigateAndWait(() => reload(...options));
    await use(page);
  },
  context: async ({ context, errors }, use) => {
    context.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    context.on("request", (request) => {
      const personal = findPersonalData(request.url());
      if (personal) errors.push(`personal data in an address: ${personal}`);
    });
    context.on("weberror", (error) => {
      errors.push(String(error.error()));
    });
    await use(context);
  },
});

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

export async function expectAccessible(page: Page): Promise<void> {
  // A page that has just been opened may still lack its style sheet.
  await page.waitForLoadState();
  // Cancels animations, because axe would measure colours that still change. `finish` fails for endless ones.
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.cancel();
  });
  // Legacy mode saves a second tab, which axe needs only for pages with frames.
  const axe = new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ["violations"] })
    .withTags(WCAG);
  const { violations } = await axe.analyze();
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`,
  );
  expect(found).toEqual([]);
}
