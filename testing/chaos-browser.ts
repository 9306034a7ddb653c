/**
 * Applications under a bad network and a browser that ends at any moment, against the real server. What
 * was acknowledged to the visitor, or kept on the device, must be in the server's store exactly once.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { comeToLife } from "#testing/come-to-life.ts";
import { fillByHand } from "#testing/form.ts";
import { KillableBrowser } from "#testing/killable-browser.ts";
import { FAULTS, FaultyProxy } from "#testing/peers/faulty-proxy.ts";
import { randomFrom } from "#testing/random.ts";
import { Site } from "#testing/site.ts";

/** What happens to the browser some time after the press. */
const EVENTS = {
  none: async () => undefined,
  reload: ({ page }) => page.reload().catch(offlineIsFine),
  leave: ({ page, url }) => page.goto(`${url}/pricing`).catch(offlineIsFine),
  "close-tab": ({ page }) => page.close(),
  kill: ({ browser }) => browser.kill(),
  "second-tab": async ({ browser, url }) =>
    (await browser.context.newPage()).goto(`${url}/pricing`).catch(offlineIsFine),
  offline: ({ browser }) => browser.context.setOffline(true),
} satisfies Record<
  string,
  (on: { browser: KillableBrowser; page: Page; url: string }) => Promise<unknown>
>;
const EVENT_NAMES = Object.keys(EVENTS) as (keyof typeof EVENTS)[];
const LATEST_EVENT_MS = 700;
const LONGEST_FAULT_MS = 2_500;
/** Longer than a request may take and the page then waits. */
const SETTLED_WITHIN_MS = 45_000;

/** How one application ended: `unkept` when nobody had it, and nobody had said so. */
export type Verdict = "once" | "lost" | "duplicated" | "unkept";

export interface RunReport {
  run: number;
  plan: string;
  verdict: Verdict;
}

function planFor(random: () => number) {
  const pick = <Value>(values: readonly Value[]) => {
    const value = values[Math.floor(random() * values.length)];
    if (value === undefined) throw new Error("nothing to pick from");
    return value;
  };
  return {
    form: pick(["contact", "contact", "dialog"] as const),
    fault: pick(FAULTS),
    offlineBefore: random() < 0.15,
    worker: random() < 0.7,
    event: pick(EVENT_NAMES),
    eventAfterMs: Math.floor(random() * LATEST_EVENT_MS),
    healAfterMs: Math.floor(random() * LONGEST_FAULT_MS),
    tabsAfterwards: pick([1, 1, 2]),
  };
}
type Plan = ReturnType<typeof planFor>;

/** One server with a bad network in front of it, for runs one after the other. */
export class ChaosLane {
  readonly #site: Site;
  readonly #proxy: FaultyProxy;

  private constructor(site: Site, proxy: FaultyProxy) {
    this.#site = site;
    this.#proxy = proxy;
  }

  static async open(): Promise<ChaosLane> {
    const many = "1000000";
    const site = await Site.start({
      ADDRESS_REQUESTS_PER_MINUTE: many,
      ADDRESS_APPLICATIONS_PER_10_MINUTES: many,
      TOTAL_APPLICATIONS_PER_MINUTE: many,
    });
    const proxy = new FaultyProxy(site.url);
    await proxy.start();
    return new ChaosLane(site, proxy);
  }

  async close(): Promise<void> {
    await this.#proxy.stop();
    await this.#site.stop();
  }

  /** One application of its own name, in a browser of its own profile. */
  async run(run: number, seed: number): Promise<RunReport> {
    const plan = planFor(randomFrom(seed * 100_003 + run));
    const name = `혼돈${run}`;
    const profile = await mkdtemp(join(tmpdir(), "chaos-"));
    let browser = await KillableBrowser.launch(profile);
    try {
      const first = await browser.context.newPage();
      await this.#apply(first, name, plan);
      await sleep(plan.eventAfterMs);
      await EVENTS[plan.event]({ browser, page: first, url: this.#proxy.url });
      await sleep(plan.healAfterMs);
      const acknowledged = plan.event !== "kill" && (await saysItIsSafe(first));
      if (plan.event === "kill") browser = await KillableBrowser.launch(profile);
      await browser.context.setOffline(false);
      this.#proxy.heal();
      const kept = await this.#settle(browser, first, name, plan.tabsAfterwards);
      const stored = this.#stored(name);
      const promised = acknowledged || kept;
      const verdict =
        stored > 1 ? "duplicated" : stored === 1 ? "once" : promised ? "lost" : "unkept";
      return { run, plan: JSON.stringify(plan), verdict };
    } finally {
      this.#proxy.heal();
      await browser.kill();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  /** Fills the form in and presses the button, with the faults in place. */
  async #apply(page: Page, name: string, plan: Plan): Promise<void> {
    await page.goto(this.#proxy.url + (plan.form === "contact" ? "/contact" : "/"));
    await comeToLife(page);
    if (plan.worker) await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    if (plan.form === "dialog")
      await page.getByRole("link", { name: "신청하기", exact: true }).click();
    // The script has taken the form over.
    const form = page.locator("form[novalidate]");
    await fillByHand(form, { name });
    this.#proxy.fault = plan.fault;
    if (plan.offlineBefore) await page.context().setOffline(true);
    await form.locator("[type=submit]").click();
  }

  /** The visitor comes back once all is well: waits until nothing is kept; tells whether something was. */
  async #settle(
    { context }: KillableBrowser,
    first: Page,
    name: string,
    tabs: number,
  ): Promise<boolean> {
    // A page without the site's scripts, so that looking changes nothing.
    const watcher = await context.newPage();
    await watcher.goto(`${this.#proxy.url}/robots.txt`);
    const kept = (await namesKept(watcher)).includes(name);
    if (!first.isClosed()) await first.close();
    const visits = Array.from({ length: tabs }, async () =>
      (await context.newPage()).goto(`${this.#proxy.url}/pricing`),
    );
    await Promise.all(visits);
    const deadline = Date.now() + SETTLED_WITHIN_MS;
    while ((await namesKept(watcher)).length > 0) {
      if (Date.now() > deadline) break;
      await sleep(100);
    }
    return kept;
  }

  /** How often the server has it. */
  #stored(name: string): number {
    using database = new DatabaseSync(join(this.#site.dataDir, "applications.db"), {
      readOnly: true,
    });
    return database.prepare("SELECT 1 FROM applications WHERE name = ?").all(name).length;
  }
}

function offlineIsFine(error: unknown): void {
  if (!/ERR_INTERNET_DISCONNECTED|ERR_ABORTED/.test(String(error))) throw error;
}

/** Whether the page tells the visitor that the application is received, or kept on this device. */
async function saysItIsSafe(page: Page): Promise<boolean> {
  if (page.isClosed()) return false;
  const text = (await page.locator("body").textContent()) ?? "";
  return /접수되었습니다|보관했습니다|보관하고 있습니다|자동으로 보냅니다/.test(text);
}

/** The names of what waits to be sent; read past all of the site's code. */
function namesKept(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const databases = await indexedDB.databases();
    if (!databases.some(({ name }) => name === "applications")) return [];
    return new Promise<string[]>((resolve, reject) => {
      const opening = indexedDB.open("applications");
      opening.onerror = () => reject(opening.error);
      opening.onsuccess = () => {
        const all = opening.result.transaction("records").objectStore("records").getAll();
        opening.result.close();
        all.onerror = () => reject(all.error);
        all.onsuccess = () =>
          resolve(
            all.result.flatMap((record: { state: string; values?: { name: string } }) =>
              record.state === "waiting" && record.values ? [record.values.name] : [],
            ),
          );
      };
    });
  });
}
