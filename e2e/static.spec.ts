import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { Response } from "@playwright/test";
import { afterPaint } from "#server/after-paint.ts";
import { SERVICE_WORKER } from "#server/files.ts";
import { readRoutes } from "#server/pages.ts";
import { inlineScriptHashes } from "#server/policy.ts";
import { loadedWhenIdle } from "#testing/come-to-life.ts";
import { eventually } from "#testing/eventually.ts";
import { freePort } from "#testing/free-port.ts";
import { expectHydrated, LOST, PAGES } from "#testing/policy-of-pages.ts";
import { expect, test } from "#testing/test.ts";

/** The same build and settings under Next's own server: what our answers are held against. */
async function startNext(env: NodeJS.ProcessEnv) {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    ["node_modules/next/dist/bin/next", "start", "--port", String(port)],
    { stdio: "ignore", env },
  );
  const url = `http://localhost:${port}`;
  await eventually(
    () =>
      fetch(url).then(
        ({ status }) => status,
        () => 0,
      ),
    { timeout: 30_000 },
  ).toBe(200);
  const stop = async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { url, stop };
}

/** What is the same for everybody, by its path. */
const forEverybody = () => readRoutes(".").once.filter((path) => !path.startsWith("/_"));

const filesIn = (folder: string, prefix: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => prefix + `${parentPath}/${name}`.slice(folder.length));

/**
 * The markup without React's data: that names the address that the page was made for, and is cut by its length. The
 * pages' own scripts are tried by expectHydrated.
 */
const markupOf = (html: string) => html.replace(/<script>\(self\.__next_f=.*?<\/script>/s, "");

/** Status, kind and content: what a visitor notices. Only when its scripts are asked for is another moment. */
async function noticed(url: string, init: RequestInit = {}) {
  const answer = await fetch(url, { redirect: "manual", ...init });
  const type = answer.headers.get("content-type")?.toLowerCase() ?? "";
  const bytes = Buffer.from(await answer.arrayBuffer());
  const body = type.startsWith("text/html")
    ? markupOf(afterPaint(bytes.toString()))
    : bytes.toString("base64");
  return { status: answer.status, type, location: answer.headers.get("location"), body };
}

test("every page and file is answered as Next would have answered", async ({ site }) => {
  const next = await startNext(site.env);
  try {
    const paths = [
      ...forEverybody(),
      ...filesIn(".next/static", "/_next/static"),
      ...filesIn("public", "").filter((path) => path !== SERVICE_WORKER),
      "/?utm_source=naver",
      "/no-such-road",
      "/contact/no-such-road",
      encodeURI("/없는/길"),
      "/Contact",
      "/contact/",
      "/_next/static/no-such-file.js",
      "/api/no-such-handler",
    ];
    for (const path of paths) {
      expect(await noticed(site.url + path), path).toEqual(await noticed(next.url + path));
    }
    const head = { method: "HEAD" };
    expect(await noticed(site.url, head)).toEqual(await noticed(next.url, head));
  } finally {
    await next.stop();
  }
});

test("the pages cost the server no rendering, and a browser asks for nothing twice", async ({
  page,
  site,
}) => {
  const fetched = new Set<string>();
  page.on("requestfinished", (request) => fetched.add(request.url()));
  await page.goto(site.url);
  await loadedWhenIdle(page);
  page.removeAllListeners("requestfinished");
  const answers: Response[] = [];
  page.on("response", (answer) => answers.push(answer));
  await page.goto(site.url);
  await loadedWhenIdle(page);
  const files = answers.filter((answer) => answer.url().includes("/_next/static"));
  // What is asked for when the page is idle may have been cut off the first time.
  const again = files.filter((answer) => fetched.has(answer.url()));
  expect(again.length).toBeGreaterThan(5);
  for (const answer of again) {
    const { responseBodySize } = await answer.request().sizes();
    expect(responseBodySize, answer.url()).toBeLessThanOrEqual(0);
  }
  const cold = await fetch(site.url);
  const unchanged = await fetch(site.url, {
    headers: { "if-none-match": cold.headers.get("etag") ?? "" },
  });
  expect(unchanged.status).toBe(304);
});

test("every page has scripts of known forms alone; with one more it stays as Next made it", async ({
  site,
}) => {
  const next = await startNext(site.env);
  try {
    for (const path of [...PAGES, LOST]) {
      const made = await (await fetch(next.url + path)).text();
      const served = await (await fetch(site.url + path)).text();
      expect(markupOf(served)).toBe(markupOf(afterPaint(made)));
      expect(served).not.toMatch(/<script src="[^"]+" async/);
      // What starts the scripts, what boots Next, and all its data: a policy names three hashes.
      expect(inlineScriptHashes(served)).toHaveLength(3);
      const other = made.replace("</body>", "<script>another()</script></body>");
      expect(other).not.toBe(made);
      expect(afterPaint(other)).toBe(other);
    }
  } finally {
    await next.stop();
  }
});

for (const [what, missing] of Object.entries({
  "has no paint entries": () => {
    Object.defineProperty(PerformanceObserver, "supportedEntryTypes", { value: [] });
  },
  "never reports a paint": () => {
    PerformanceObserver.prototype.observe = () => undefined;
  },
})) {
  test(`a page comes to life in a browser that ${what}`, async ({ page, site }) => {
    await page.addInitScript(missing);
    await page.goto(`${site.url}/contact#contact-region`);
    await expect(page.locator("main form[novalidate]")).toBeVisible();
  });
}

test("every page looks the same without JavaScript as with it", async ({
  browser,
  site,
  quiet,
}) => {
  quiet(/404/);
  const paths = [...PAGES, LOST];
  const look = async (javaScriptEnabled: boolean) => {
    const viewport = { width: 400, height: 900 };
    const context = await browser.newContext({
      javaScriptEnabled,
      viewport,
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    const pictures: Buffer[] = [];
    for (const path of paths) {
      await page.goto(site.url + path, { waitUntil: "networkidle" });
      pictures.push(await page.screenshot());
    }
    await context.close();
    return pictures;
  };
  const [without, withScripts] = [await look(false), await look(true)];
  for (const [index, path] of paths.entries()) {
    const isSame = withScripts[index]?.equals(without[index] ?? Buffer.of());
    expect(isSame, path).toBe(true);
  }
});

/** The site behind a line that stops for a while in the middle of each page. */
async function startSlowLine(siteUrl: string) {
  const server = createServer(async (request, response) => {
    const answer = await fetch(siteUrl + request.url, { headers: { accept: "*/*" } });
    const body = Buffer.from(await answer.arrayBuffer());
    const headers = Object.fromEntries(answer.headers);
    delete headers["content-encoding"];
    delete headers["content-length"];
    response.writeHead(answer.status, headers);
    const half = headers["content-type"]?.startsWith("text/html") ? body.length / 2 : 0;
    response.write(body.subarray(0, half));
    setTimeout(() => response.end(body.subarray(half)), half > 0 ? 2_000 : 0);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close().closeAllConnections() };
}

test("a page that is painted before its end has come waits for it, and comes to life", async ({
  page,
  site,
}) => {
  const line = await startSlowLine(site.url);
  try {
    await page.goto(line.url);
    await expectHydrated(page);
  } finally {
    line.stop();
  }
});
