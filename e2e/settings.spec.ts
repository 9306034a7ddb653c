/** One build, whatever the settings: what a visitor sees is what the running process was configured with. */
import { seoulYear } from "#lib/application/seoul-time.ts";
import { eventually } from "#testing/eventually.ts";
import { expectHydrated, PAGES } from "#testing/pages.ts";
import { Site } from "#testing/site.ts";
import { expect, test } from "#testing/test.ts";

const FIRST = {
  SITE_URL: "https://first.example",
  INQUIRY_PHONE: "010-1111-2222",
  BUSINESS_OWNER: "첫째 김여주",
  RETENTION_DAYS: "30",
  NAVER_SITE_VERIFICATION: "first-naver",
};
const SECOND = {
  SITE_URL: "https://second.example",
  INQUIRY_PHONE: "010-3333-4444",
  BUSINESS_OWNER: "둘째 이여주",
  RETENTION_DAYS: "60",
  NAVER_SITE_VERIFICATION: "second-naver",
};
const DIALLED = { first: "01011112222", second: "01033334444" };

/** Everything that a browser or a crawler can be told, with the headers. */
async function everything(url: string): Promise<Map<string, string>> {
  const told = new Map<string, string>();
  for (const path of [
    ...PAGES,
    "/no-such-road",
    "/sitemap.xml",
    "/robots.txt",
    "/contact/result",
  ]) {
    const answer = await fetch(url + path);
    told.set(path, `${JSON.stringify([...answer.headers])}\n${await answer.text()}`);
  }
  return told;
}

test("a changed setting is on every page, in links, structured data, sitemap and robots after a restart", async ({
  page,
}) => {
  const site = await Site.start(FIRST);
  try {
    const before = await everything(site.url);
    await site.end("SIGTERM");
    Object.assign(site.env, SECOND);
    const startedAt = performance.now();
    await site.startAgain();
    const after = await everything(site.url);
    // A figure, not a limit: the machine of the tests has other work too.
    console.info(`restarted and read in ${Math.round(performance.now() - startedAt)} ms`);

    for (const [path, text] of after) {
      for (const old of [...Object.values(FIRST).filter((value) => value !== "30"), DIALLED.first])
        expect(text.includes(old), `${old} in ${path}`).toBe(false);
      expect(before.get(path)?.includes("second"), path).toBe(false);
    }
    for (const path of [...PAGES, "/no-such-road"]) {
      const text = after.get(path) ?? "";
      expect(text, path).toContain(`tel:${DIALLED.second}`);
      expect(text, path).toContain(SECOND.INQUIRY_PHONE);
      expect(text, path).toContain(SECOND.BUSINESS_OWNER);
      expect(text, path).toContain(SECOND.NAVER_SITE_VERIFICATION);
    }
    for (const path of PAGES) {
      const text = after.get(path) ?? "";
      expect(text, path).toContain(`<link rel="canonical" href="${SECOND.SITE_URL}`);
      expect(text, path).toMatch(
        /property="og:image" content="https:\/\/second\.example\/previews\//,
      );
      expect(text, path).toContain("strict-transport-security");
    }
    expect(after.get("/")).toContain(`"telephone":"+82${DIALLED.second.slice(1)}"`);
    expect(after.get("/privacy")).toContain("60일");
    expect(after.get("/sitemap.xml")).toContain(`<loc>${SECOND.SITE_URL}/pricing</loc>`);
    expect(after.get("/robots.txt")).toContain(`Sitemap: ${SECOND.SITE_URL}/sitemap.xml`);

    await page.goto(site.url);
    await expect(page.locator("footer")).toContainText(SECOND.INQUIRY_PHONE);
    await expect(page.locator("footer")).toContainText(`© ${seoulYear(Date.now())}`);
    await expectHydrated(page);
  } finally {
    await page.close();
    await site.stop();
  }
});

test("the same settings give the same pages, so that browsers keep what they have", async () => {
  const site = await Site.start(FIRST);
  try {
    const tags = async () => {
      const paths = [...PAGES, "/sw.js"];
      const answers = await Promise.all(paths.map((path) => fetch(site.url + path)));
      return answers.map(({ headers }) => headers.get("etag"));
    };
    const before = await tags();
    await site.end("SIGTERM");
    await site.startAgain();
    expect(await tags()).toEqual(before);
    // The page that a visitor without JavaScript is led to is made for each of them, with the same settings.
    await eventually(async () => (await fetch(`${site.url}/contact/result`)).text()).toContain(
      FIRST.INQUIRY_PHONE,
    );
  } finally {
    await site.stop();
  }
});
