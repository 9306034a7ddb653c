/**
 * Sends applications over a faulty network, from a browser that may be killed, to the real server. In the end
 * each application must be in the server's store exactly once. Only one that was neither confirmed nor kept on the
 * device when the browser was killed may be missing. To send more:
 *   CHAOS_RUNS=300 CHAOS_SEED=1 npm run test:long -- chaos-browser.spec
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "@playwright/test";
import fc from "fast-check";
import { type Entry, isWaiting } from "#lib/browser/entry.ts";
import { readDatabases, waitForServiceWorker } from "#testing/browser/device-storage.ts";
import { fillByHand } from "#testing/browser/form.ts";
import { KillableBrowser } from "#testing/browser/killable-browser.ts";
import { expect, test } from "#testing/browser/test.ts";
import { waitForHydration } from "#testing/browser/wait-for-hydration.ts";
import { FaultyProxy, NETWORK_FAULTS } from "#testing/peers/faulty-proxy.ts";
import { Site } from "#testing/site/site.ts";
import { queryDatabase } from "#testing/site/site-with-peers.ts";

const RUNS = Number(process.env.CHAOS_RUNS ?? 24);
/** The faults change every hour. A failed run prints its seed, and can be repeated. */
const SEED = Number(process.env.CHAOS_SEED ?? new Date().getHours());

/** Events that a plan lets happen in the browser soon after the submission. */
const EVENTS = {
  none: async () => undefined,
  reload: ({ page }) => page.reload().catch(ignoreOfflineError),
  leave: ({ page, url }) => page.goto(`${url}/pricing`).catch(ignoreOfflineError),
  "close-tab": ({ page }) => page.close(),
  kill: ({ browser }) => browser.kill(),
  "second-tab": async ({ browser, url }) =>
    (await browser.context.newPage()).goto(`${url}/pricing`).catch(ignoreOfflineError),
  offline: ({ browser }) => browser.context.setOffline(true),
} satisfies Record<
  string,
  (on: { browser: KillableBrowser; page: Page; url: string }) => Promise<unknown>
>;
const EVENT_NAMES = Object.keys(EVENTS) as (keyof typeof EVENTS)[];
const LATEST_EVENT_MS = 700;
const MAX_FAULT_MS = 2_500;
/** The limit is longer than a request and the page's pause after a failed request. */
const SETTLED_WITHIN_MS = 45_000;

const anyPlan = fc.record({
  form: fc.constantFrom("contact", "contact", "dialog"),
  fault: fc.constantFrom(...NETWORK_FAULTS),
  offlineBefore: fc.nat(6).map((of7) => of7 === 0),
  worker: fc.constantFrom(true, true, false),
  event: fc.constantFrom(...EVENT_NAMES),
  eventAfterMs: fc.noBias(fc.nat(LATEST_EVENT_MS)),
  healAfterMs: fc.noBias(fc.nat(MAX_FAULT_MS)),
  tabsAfterwards: fc.constantFrom(1, 1, 2),
});

type Plan = ReturnType<typeof anyPlan.generate>["value"];

test(`${RUNS} applications under random faults all arrive once [34][35]`, async () => {
  test.setTimeout(300_000 + 60_000 * RUNS);
  await using site = await Site.start();
  await using proxy = await FaultyProxy.inFrontOf(site);
  for (let run = 1; run <= RUNS; run++) {
    const [plan] = fc.sample(anyPlan, { seed: SEED * 100_003 + run, numRuns: 1 });
    if (!plan) throw new Error("no plan");
    const { stored, isPromised } = await sendOneApplication(site, proxy, `혼돈${run}`, plan);
    // Killing the whole browser may lose an application that is not on the disk yet.
    const isUnsaved = plan.event === "kill" && stored === 0 && !isPromised;
    const what = `run ${run} of seed ${SEED}: ${JSON.stringify(plan)}`;
    expect(isUnsaved ? 1 : stored, what).toBe(1);
    if (run % 25 === 0) console.info(`${run} applications`);
  }
});

/** Sends an application as planned. Returns how often it is stored, and whether it was confirmed or kept. */
async function sendOneApplication(site: Site, proxy: FaultyProxy, name: string, plan: Plan) {
  await using browser = await KillableBrowser.launch();
  const first = await browser.context.newPage();
  await apply(first, proxy, name, plan);
  await sleep(plan.eventAfterMs);
  await EVENTS[plan.event]({ browser, page: first, url: proxy.url });
  await sleep(plan.healAfterMs);
  const acknowledged = plan.event !== "kill" && (await showsReceivedOrKept(first));
  if (plan.event === "kill") await browser.startAgain();
  await browser.context.setOffline(false);
  proxy.heal();
  const kept = await waitUntilAllSent(browser, first, {
    name,
    url: proxy.url,
    tabs: plan.tabsAfterwards,
  });
  const query = `SELECT count(*) FROM applications WHERE name = '${name}'`;
  return { stored: Number(queryDatabase(site, query)), isPromised: acknowledged || kept };
}

async function apply(page: Page, proxy: FaultyProxy, name: string, plan: Plan): Promise<void> {
  await page.goto(proxy.url + (plan.form === "contact" ? "/contact" : "/"));
  await waitForHydration(page);
  if (plan.worker) await waitForServiceWorker(page);
  if (plan.form === "dialog")
    await page.getByRole("link", { name: "신청서 쓰기", exact: true }).click();
  const form = page.locator("form[data-ready]");
  await fillByHand(form, { name });
  proxy.fault = plan.fault;
  if (plan.offlineBefore) await page.context().setOffline(true);
  await form.locator("[type=submit]").click();
}

/** Opens the site in new tabs, and waits until no application waits. Returns true if the named one waited before. */
async function waitUntilAllSent(
  { context }: KillableBrowser,
  first: Page,
  { name, url, tabs }: { name: string; url: string; tabs: number },
): Promise<boolean> {
  // No script of the site runs at this address, so the tab can read the records without changing them.
  const watcher = await context.newPage();
  await watcher.goto(`${url}/robots.txt`);
  const kept = (await waitingNames(watcher)).includes(name);
  if (!first.isClosed()) await first.close();
  const visits = Array.from({ length: tabs }, async () =>
    (await context.newPage()).goto(`${url}/pricing`),
  );
  await Promise.all(visits);
  const deadline = Date.now() + SETTLED_WITHIN_MS;
  while (Date.now() < deadline && (await waitingNames(watcher)).length > 0) await sleep(100);
  return kept;
}

function ignoreOfflineError(error: unknown): void {
  if (!/ERR_INTERNET_DISCONNECTED|ERR_ABORTED/.test(String(error))) throw error;
}

async function showsReceivedOrKept(page: Page): Promise<boolean> {
  if (page.isClosed()) return false;
  const text = (await page.locator("body").textContent()) ?? "";
  return /접수되었습니다|보관했습니다|아직 보내지 못한/.test(text);
}

async function waitingNames(page: Page): Promise<string[]> {
  const entries = (await page.evaluate(readDatabases)) as Entry[];
  return entries.filter(isWaiting).flatMap(({ values }) => values.name ?? []);
}
