/**
 * Checks the first load of every page against its budget of bytes: `npm run budget`, after a build. Ends with
 * 1 and the reasons when a page is over.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Browser } from "@playwright/test";
import { BUDGETED_PAGES, budgetsOf, faultsOf, kilobytes } from "#build/byte-limits.ts";
import { measureFirstLoad, openBrowser } from "#build/first-load.ts";
import { blankVersions, serveBlankPage } from "#measure/blank-page.ts";
import { Site } from "#testing/site.ts";

/** The blank page's JavaScript, bytes of gzip 9; counted once per version of Next and React. */
async function blankJs(browser: Browser): Promise<number> {
  const known = `node_modules/.cache/blank-page/${blankVersions()}.bytes`;
  if (existsSync(known)) return Number(readFileSync(known, "utf8"));
  const blank = await serveBlankPage();
  try {
    const { js } = await measureFirstLoad(browser, blank.url);
    mkdirSync(dirname(known), { recursive: true });
    writeFileSync(known, String(js));
    return js;
  } finally {
    await blank.stop();
  }
}

const browser = await openBrowser();
const site = await Site.start();
try {
  const blank = await blankJs(browser);
  console.info(`blank page: js ${kilobytes(blank)}`);
  for (const { path, hasForm } of BUDGETED_PAGES) {
    const load = await measureFirstLoad(browser, site.url + path);
    const budgets = budgetsOf(load, blank, hasForm);
    const faults = faultsOf(budgets, load);
    const sums = budgets.map(({ kind, bytes, limit }) => {
      return `${kind} ${kilobytes(bytes)} of ${kilobytes(limit)}`;
    });
    console.info(`${faults.length > 0 ? "OVER" : "ok  "} ${path}: ${sums.join(", ")}`);
    for (const fault of faults) console.error(`     ${fault}`);
    if (faults.length > 0) process.exitCode = 1;
  }
} finally {
  await site.stop();
  await browser.close();
}
