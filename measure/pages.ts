/**
 * Lighthouse, as a phone, for each page and for a blank page of the same Next: `npm run bench:pages`, after
 * a build. The pages take turns, so that a busy moment of the machine does not hit one of them alone. Then a press
 * on 신청하기, which Lighthouse does not make. Ends with 1 when a page misses its mark.
 */
import { chromium } from "@playwright/test";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import { CHROMIUM_FLAGS, chromiumPath } from "../build/chromium.ts";
import { pagePaths } from "../lib/content/pages.ts";
import { Site } from "../testing/site.ts";
import { serveBlankPage } from "./blank-page.ts";
import { median } from "./median.ts";

const ROUNDS = Number(process.argv[2] ?? 5);
const BLANK = "blank page";
/** How much slower than this machine's a phone's processor is, and how long its last paint may take. */
const SLOWER = 4;
const SETTLED_MS = 2_000;
const LONGEST_PRESS_MS = 200;

interface Run {
  performance: number;
  accessibility: number;
  "best-practices": number;
  seo: number;
  fcp: number;
  lcp: number;
  cls: number;
  tbt: number;
}

const MARKS: { name: string; met: (runs: readonly Run[], blank: readonly Run[]) => boolean }[] = [
  { name: "performance ≥ 97", met: (runs) => middle(runs, "performance") >= 97 },
  { name: "accessibility 100", met: (runs) => middle(runs, "accessibility") === 100 },
  { name: "best practices 100", met: (runs) => middle(runs, "best-practices") === 100 },
  { name: "SEO 100", met: (runs) => middle(runs, "seo") === 100 },
  { name: "FCP ≤ 850 ms", met: (runs) => middle(runs, "fcp") <= 850 },
  { name: "CLS ≤ 0.005", met: (runs) => middle(runs, "cls") <= 0.005 },
  { name: "TBT ≤ 150 ms", met: (runs) => middle(runs, "tbt") <= 150 },
  {
    name: "LCP ≤ blank + 100 ms",
    met: (runs, blank) => middle(runs, "lcp") <= middle(blank, "lcp") + 100,
  },
];

function middle(runs: readonly Run[], figure: keyof Run): number {
  return median(runs.map((run) => run[figure]));
}

/** A run that Lighthouse gives up (no paint, no answer of the browser) is made again. */
async function measure(url: string, tries = 3): Promise<Run> {
  const chrome = await launch({
    chromePath: chromiumPath() ?? chromium.executablePath(),
    chromeFlags: ["--headless=new", ...CHROMIUM_FLAGS],
    logLevel: "silent",
  });
  try {
    const result = await lighthouse(url, { port: chrome.port, logLevel: "silent" });
    if (!result) throw new Error(`Lighthouse gave no result for ${url}`);
    const { categories, audits, runtimeError } = result.lhr;
    if (runtimeError && tries > 1) return await measure(url, tries - 1);
    if (runtimeError) throw new Error(`Lighthouse failed on ${url}: ${runtimeError.message}`);
    const score = (id: string) => Math.round((categories[id]?.score ?? 0) * 100);
    const figure = (id: string) => audits[id]?.numericValue ?? Number.NaN;
    return {
      performance: score("performance"),
      accessibility: score("accessibility"),
      "best-practices": score("best-practices"),
      seo: score("seo"),
      fcp: figure("first-contentful-paint"),
      lcp: figure("largest-contentful-paint"),
      cls: figure("cumulative-layout-shift"),
      tbt: figure("total-blocking-time"),
    };
  } finally {
    chrome.kill();
  }
}

/** How long the page of a slow phone does not answer a press on 신청하기, ms: Interaction to Next Paint. */
async function pressToPaint(url: string): Promise<number> {
  await using browser = await chromium.launch({
    executablePath: chromiumPath() ?? chromium.executablePath(),
    args: CHROMIUM_FLAGS,
  });
  const page = await browser.newPage({ viewport: { width: 390, height: 844 }, hasTouch: true });
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await page.goto(url, { waitUntil: "networkidle" });
  await page.getByRole("link", { name: "신청하기", exact: true }).tap();
  await page.getByRole("dialog").waitFor();
  return page.evaluate(
    (settled) =>
      new Promise<number>((resolve) => {
        let longest = 0;
        new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
        }).observe({ type: "event", buffered: true });
        setTimeout(() => resolve(longest), settled);
      }),
    SETTLED_MS,
  );
}

function row(name: string, runs: readonly Run[]): string {
  const ms = (figure: "fcp" | "lcp" | "tbt") => String(Math.round(middle(runs, figure)));
  const scores = (["performance", "accessibility", "best-practices", "seo"] as const).map(
    (figure) => String(middle(runs, figure)),
  );
  const worst = String(Math.min(...runs.map(({ performance }) => performance)));
  const cells = [name, scores[0], worst, ...scores.slice(1), ms("fcp"), ms("lcp"), ms("tbt")];
  return `| ${[...cells, middle(runs, "cls").toFixed(4)].join(" | ")} |`;
}

const [site, blank] = [await Site.start(), await serveBlankPage()];
try {
  const targets = [
    [BLANK, blank.url],
    ...pagePaths.map((path) => [path, site.url + path]),
  ] as const;
  const runs = new Map<string, Run[]>();
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const [name = "", url = ""] of targets) {
      const run = await measure(url);
      runs.set(name, [...(runs.get(name) ?? []), run]);
      console.error(`round ${round} ${name}: ${run.performance}, LCP ${Math.round(run.lcp)} ms`);
    }
  }
  console.info(
    "| page | perf. | worst | access. | best pr. | SEO | FCP ms | LCP ms | TBT ms | CLS |",
  );
  console.info("|---|---|---|---|---|---|---|---|---|---|");
  for (const [name, found] of runs) console.info(row(name, found));
  const presses: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) presses.push(await pressToPaint(site.url));
  console.info(`a press on 신청하기: ${median(presses)} ms (at most ${LONGEST_PRESS_MS})`);
  if (median(presses) > LONGEST_PRESS_MS) process.exitCode = 1;
  const blankRuns = runs.get(BLANK) ?? [];
  for (const path of pagePaths) {
    const missed = MARKS.filter(({ met }) => !met(runs.get(path) ?? [], blankRuns));
    if (missed.length === 0) continue;
    console.error(`${path} misses: ${missed.map(({ name }) => name).join(", ")}`);
    process.exitCode = 1;
  }
} finally {
  await Promise.all([site.stop(), blank.stop()]);
}
