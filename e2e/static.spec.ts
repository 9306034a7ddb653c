import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import sharp from "sharp";
import { pagePaths } from "#lib/content/pages.ts";
import { hashInlineScripts } from "#server/content-policy.ts";
import { deferScripts } from "#server/defer-scripts.ts";
import { readBuiltPaths } from "#server/pages.ts";
import { SERVICE_WORKER_PATH } from "#server/static-files.ts";
import { eventually } from "#testing/browser/eventually.ts";
import { expect, test } from "#testing/browser/test.ts";
import { waitForHydration } from "#testing/browser/wait-for-hydration.ts";
import { listeningPort } from "#testing/peers/listening-port.ts";
import { findFreePort } from "#testing/site/free-port.ts";
import { UNKNOWN_PATH } from "#testing/site/pages.ts";
import { startPlainNext } from "#testing/site/plain-next.ts";

const pathsRenderedAtStart = () =>
  readBuiltPaths(".").renderedAtStart.filter((path) => !path.startsWith("/_"));

const filesIn = (folder: string, prefix: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => prefix + `${parentPath}/${name}`.slice(folder.length));

/** Removes React's data, because they contain the requested address. */
const removeReactData = (html: string) =>
  html.replace(/<script[^>]*>[^<]*\(self\.__next_f=.*?<\/script>/s, "");

const PREFETCH_RULES_PATTERN = /<script type="speculationrules">.*?<\/script>/;

/** Fetches the parts of a response that must be equal on this server and on Next's own server. */
async function fetchComparableParts(url: string) {
  const answer = await fetch(url, { redirect: "manual" });
  const type = answer.headers.get("content-type")?.toLowerCase() ?? "";
  const bytes = Buffer.from(await answer.arrayBuffer());
  const isPage = type.startsWith("text/html");
  const html = deferScripts(bytes.toString()).replace(PREFETCH_RULES_PATTERN, "");
  const body = isPage ? removeReactData(html) : bytes.toString("base64");
  // Known inline scripts: the loader of the deferred script files, and Next's start joined with React's data.
  const isKnown = !isPage || hashInlineScripts(html).length <= 3;
  return { status: answer.status, type, location: answer.headers.get("location"), body, isKnown };
}

test("every page and file equals the response of Next's own server", async ({ site }) => {
  await using next = startPlainNext(site.env, await findFreePort());
  await eventually(async () => (await fetch(next.url).catch(() => undefined))?.status).toBe(200);
  const paths = [
    ...pathsRenderedAtStart(),
    ...filesIn(".next/static", "/_next/static"),
    // Our server inserts a version into the service worker.
    ...filesIn("public", "").filter((path) => path !== SERVICE_WORKER_PATH),
    "/?utm_source=naver",
    UNKNOWN_PATH,
    "/contact/no-such-road",
    encodeURI("/없는/길"),
    "/Contact",
    "/contact/",
    "/_next/static/no-such-file.js",
    "/api/no-such-handler",
  ];
  for (const path of paths) {
    const own = await fetchComparableParts(site.url + path);
    expect(own, path).toEqual(await fetchComparableParts(next.url + path));
    expect(own.isKnown, path).toBe(true);
  }
  expect(await fetchComparableParts(`${site.url}/contact/`)).toMatchObject({
    status: 308,
    location: "/contact",
  });
  expect(await fetchComparableParts(`${site.url}/Contact`)).toMatchObject({ status: 404 });
});

test("each script begins with the hint to compile it while it loads", async ({ site }) => {
  const scripts = filesIn(".next/static/chunks", "/_next/static/chunks").filter((path) =>
    path.endsWith(".js"),
  );
  expect(scripts.length).toBeGreaterThan(5);
  for (const path of scripts)
    expect(await (await fetch(site.url + path)).text(), path).toMatch(
      /^\/\/# allFunctions\w+OnLoad\n/,
    );
});

test("first screens look the same without JavaScript", async ({ browser, site, quiet }) => {
  quiet(/404/);
  const takeScreenshots = async (javaScriptEnabled: boolean) => {
    const viewport = { width: 400, height: 900 };
    const context = await browser.newContext({
      javaScriptEnabled,
      viewport,
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    const pictures = new Map<string, Buffer>();
    for (const path of [...pagePaths, UNKNOWN_PATH]) {
      await page.goto(site.url + path, { waitUntil: "networkidle" });
      pictures.set(
        path,
        await sharp(await page.screenshot())
          .raw()
          .toBuffer(),
      );
    }
    await context.close();
    return pictures;
  };
  const [without, withScripts] = await Promise.all([takeScreenshots(false), takeScreenshots(true)]);
  for (const [path, picture] of withScripts) {
    const other = without.get(path);
    expect(other?.length, path).toBe(picture.length);
    // A second painting changes the colour values (0 to 255) of rounded corners a little.
    const most = picture.reduce(
      (most, value, index) => Math.max(most, Math.abs(value - (other?.[index] ?? 0))),
      0,
    );
    expect(most, path).toBeLessThan(4);
  }
});

test("a page hydrates though its second half arrives late", async ({ page, site }) => {
  // The second half of the page arrives only after the first half is painted.
  const painted = Promise.withResolvers<void>();
  await page.exposeFunction("painted", () => painted.resolve());
  await page.addInitScript(() => {
    const observer = new PerformanceObserver(() => Reflect.get(globalThis, "painted")());
    observer.observe({ type: "paint", buffered: true });
  });
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const headers = { "accept-encoding": "identity" };
    const answer = await fetch(site.url + request.url, { headers });
    const body = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    const isPage = answer.headers.get("content-type")?.startsWith("text/html");
    response.write(body.subarray(0, body.length / 2));
    if (isPage) await painted.promise;
    response.end(body.subarray(body.length / 2));
  };
  const forwarded: Promise<void>[] = [];
  const proxy = createServer((...exchange) => forwarded.push(forward(...exchange)));
  try {
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    await page.goto(`http://127.0.0.1:${listeningPort(proxy)}`);
    await waitForHydration(page);
    // A page that is still open would log prefetches that fail once the proxy is closed.
    await page.close();
  } finally {
    painted.resolve();
    proxy.close().closeAllConnections();
    await Promise.all(forwarded);
  }
});

test("a hovered link prefetches its page before the click", async ({ page, site }) => {
  const browser = await page.context().newCDPSession(page);
  await browser.send("Preload.enable");
  const fetched = new Promise<string>((resolve) => {
    browser.on("Preload.prefetchStatusUpdated", ({ status, prefetchUrl }) => {
      if (status === "Ready") resolve(prefetchUrl);
    });
  });
  await page.goto(`${site.url}/privacy`);
  const home = page.getByRole("link", { name: "차근차근 운전연수 홈" });
  await expect(async () => {
    await page.mouse.move(0, 0);
    await home.hover();
    expect(await Promise.race([fetched, setTimeout(500)])).toBe(`${site.url}/`);
  }).toPass();
  await home.click();
  await page.waitForURL(`${site.url}/`);
  const [how] = await page.evaluate(() => performance.getEntriesByType("navigation"));
  expect(how).toMatchObject({ deliveryType: "navigational-prefetch" });
});
