/**
 * `npm run bench:pages`, after a build: each round runs Lighthouse, as a phone, for a blank page of the same Next and
 * for each page, and then measures a tap on 신청서 쓰기. Exits with 1 if a page or the tap misses a limit.
 */
import { setTimeout as pause } from "node:timers/promises";
import { chromium } from "@playwright/test";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import { pagePaths } from "../lib/content/pages.ts";
import {
  CHROMIUM_FLAGS,
  FULL_BROWSER_OPTIONS,
  findSubstituteChromium,
} from "../testing/browser/chromium.ts";
import { Site } from "../testing/site/site.ts";
import { serveBlankPage } from "./blank-page.ts";
import { median, medians } from "./median.ts";

const ROUNDS = Number(process.argv[2] ?? 5);
const BLANK = "blank page";
/** Factor by which the measured browser is slowed down to the speed of a phone. */
const CPU_SLOWDOWN = 4;
const AFTER_TAP_PAUSE_MS = 2_000;
const MAX_PRESS_MS = 200;

/** Lowest allowed scores of Lighthouse. */
const MIN_SCORES = { performance: 99, accessibility: 100, "best-practices": 100, seo: 100 };
/** Highest allowed values: times in ms, and the score of the layout shift. `blank` is the value of the blank page. */
const MAX_AUDIT_VALUES = {
  "first-contentful-paint": (blank: number) => blank,
  "largest-contentful-paint": (blank: number) => blank + 60,
  "cumulative-layout-shift": () => 0.005,
  "total-blocking-time": () => 150,
};
type Run = Record<string, number>;

async function runLighthouse(url: string, tries = 3): Promise<Run> {
  const chrome = await launch({
    chromePath: findSubstituteChromium() ?? chromium.executablePath(),
    chromeFlags: ["--headless=new", ...CHROMIUM_FLAGS],
    logLevel: "silent",
  });
  try {
    const result = await lighthouse(url, { port: chrome.port, logLevel: "silent" });
    if (!result) throw new Error(`Lighthouse gave no result for ${url}`);
    const { categories, audits, runtimeError } = result.lhr;
    if (runtimeError && tries > 1) return await runLighthouse(url, tries - 1);
    if (runtimeError) throw new Error(`Lighthouse failed on ${url}: ${runtimeError.message}`);
    const run: Run = {};
    for (const id of Object.keys(MIN_SCORES))
      run[id] = Math.round((categories[id]?.score ?? 0) * 100);
    for (const id of Object.keys(MAX_AUDIT_VALUES))
      run[id] = audits[id]?.numericValue ?? Number.NaN;
    return run;
  } finally {
    chrome.kill();
  }
}

/** Interaction to Next Paint of a tap on 신청서 쓰기 on a slow phone, in ms. */
async function pressToPaint(url: string): Promise<number> {
  await using browser = await chromium.launch(FULL_BROWSER_OPTIONS);
  const page = await browser.newPage({ viewport: { width: 390, height: 844 }, hasTouch: true });
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  await page.goto(url, { waitUntil: "networkidle" });
  // By default the browser records no event of less than 104 ms, so an observer asks for shorter ones.
  await page.evaluate(() => {
    new PerformanceObserver((list) => {
      const { longest = 0 } = performance as { longest?: number };
      const durations = list.getEntries().map(({ duration }) => duration);
      Object.assign(performance, { longest: Math.max(longest, ...durations) });
    }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
  });
  await page.getByRole("link", { name: "신청서 쓰기", exact: true }).tap();
  await page.getByRole("dialog").waitFor();
  await pause(AFTER_TAP_PAUSE_MS);
  return Number(await page.evaluate(() => Reflect.get(performance, "longest")));
}

function missedLimits(run: Run, blank: Run): string[] {
  const scores = Object.entries(MIN_SCORES).filter(([id, least]) => !(Number(run[id]) >= least));
  const audits = Object.entries(MAX_AUDIT_VALUES).filter(
    ([id, most]) => !(Number(run[id]) <= most(blank[id] ?? 0)),
  );
  return [...scores, ...audits].map(([id]) => id);
}

const [site, blank] = [await Site.start(), await serveBlankPage()];
try {
  const targets = [
    [BLANK, blank.url],
    ...pagePaths.map((path) => [path, site.url + path]),
  ] as const;
  const runs: Record<string, Run[]> = {};
  const presses: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const [name = "", url = ""] of targets)
      runs[name] = [...(runs[name] ?? []), await runLighthouse(url)];
    presses.push(await pressToPaint(site.url));
    console.error(`round ${round} of ${ROUNDS}`);
  }
  const found = Object.fromEntries(
    Object.entries(runs).map(([name, all]) => [name, medians(all)] as const),
  );
  console.table(found);
  console.info(`a press on 신청서 쓰기: ${median(presses)} ms (at most ${MAX_PRESS_MS})`);
  const misses = pagePaths.map(
    (path) => [path, missedLimits(found[path] ?? {}, found[BLANK] ?? {})] as const,
  );
  for (const [path, names] of misses)
    if (names.length > 0) console.error(`${path} misses: ${names.join(", ")}`);
  if (median(presses) > MAX_PRESS_MS || misses.some(([, names]) => names.length > 0))
    process.exitCode = 1;
} finally {
  await Promise.all([site.discard(), blank.stop()]);
}
