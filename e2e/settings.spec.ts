/** One build, whatever the settings: what a visitor sees is what the running process was configured with. */
import { seoulYear } from "#lib/application/seoul-time.ts";
import { expectHydrated, LOST, PAGES } from "#testing/pages.ts";
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
const OLD = [...Object.values(FIRST).filter((value) => value !== "30"), "01011112222"];

/** Each page has these of the settings; some addresses have others. */
const ON_EVERY_PAGE = [
  "tel:01033334444",
  SECOND.INQUIRY_PHONE,
  SECOND.BUSINESS_OWNER,
  SECOND.NAVER_SITE_VERIFICATION,
];
const ON_EVERY_OWN_PAGE = [
  ...ON_EVERY_PAGE,
  `<link rel="canonical" href="${SECOND.SITE_URL}`,
  `property="og:image" content="${SECOND.SITE_URL}/previews/`,
  "strict-transport-security",
];
const TOLD: Record<string, string[]> = {
  ...Object.fromEntries(PAGES.map((path) => [path, ON_EVERY_OWN_PAGE])),
  [LOST]: ON_EVERY_PAGE,
  "/contact/result": [SECOND.INQUIRY_PHONE],
  "/sitemap.xml": [`<loc>${SECOND.SITE_URL}/pricing</loc>`],
  "/robots.txt": [`Sitemap: ${SECOND.SITE_URL}/sitemap.xml`],
};

/** What each address says, headers included, and how a browser tells whether it has that already. */
async function everything({ url }: Site) {
  const told = new Map<string, { text: string; etag: string | null }>();
  for (const path of [...Object.keys(TOLD), "/sw.js"]) {
    const answer = await fetch(url + path);
    const text = `${JSON.stringify([...answer.headers])}\n${await answer.text()}`;
    told.set(path, { text, etag: answer.headers.get("etag") });
  }
  return told;
}

test("after a restart a changed setting is everywhere, and only then", async ({ page }) => {
  const site = await Site.start(FIRST);
  const restart = async (settings: Record<string, string>) => {
    await site.end("SIGTERM");
    Object.assign(site.env, settings);
    await site.startAgain();
    return everything(site);
  };
  try {
    const before = await everything(site);
    const same = await restart({});
    for (const path of [...PAGES, "/sw.js"]) {
      expect(same.get(path)?.etag, path).toBe(before.get(path)?.etag);
      expect(before.get(path)?.etag, path).toBeTruthy();
    }

    const after = await restart(SECOND);
    for (const [path, { text }] of after) {
      for (const old of OLD) expect(text.includes(old), `${old} in ${path}`).toBe(false);
      expect(before.get(path)?.text.includes("second"), path).toBe(false);
      for (const own of TOLD[path] ?? []) expect(text, path).toContain(own);
    }
    expect(after.get("/")?.text).toContain('"telephone":"+821033334444"');
    expect(after.get("/privacy")?.text).toContain("60일");

    await page.goto(site.url);
    await expect(page.locator("footer")).toContainText(SECOND.INQUIRY_PHONE);
    await expect(page.locator("footer")).toContainText(`© ${seoulYear(Date.now())}`);
    await expectHydrated(page);
  } finally {
    await page.close();
    await site.stop();
  }
});
