import { expect, test } from "vitest";
import { DAY } from "#lib/application/durations.ts";
import {
  holdNextResponses,
  openPageCache,
  pageHtml,
  pagesOfNext,
  requestsToNext,
} from "#testing/site/static-site.ts";

const picture = (url: string, width = 640) =>
  `/_next/image?url=${encodeURIComponent(url)}&w=${width}&q=75`;
const STOCK = picture("https://photos.example/road.jpg?fit=crop");
const OWN = picture("/photo.jpg");

/** Gives the home page a stock photo in a tag, and a picture of the site in React's data. */
function showPictures(): void {
  const escaped = JSON.stringify(OWN).replaceAll("&", "\\u0026");
  const tags = `<img src="${STOCK.replaceAll("&", "&amp;")}"><script>next_f(${escaped})</script>`;
  pagesOfNext["/"] = pageHtml("/") + tags;
  for (const address of [STOCK, OWN]) pagesOfNext[address] = `picture of ${address}`;
}

test("a picture that a page shows is resized once for all requests", async () => {
  showPictures();
  const { site, get } = await openPageCache();
  for (const address of [STOCK, OWN, STOCK, OWN]) {
    const answer = await get(address);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("max-age=60");
    expect(await answer.text()).toBe(pagesOfNext[address]);
  }
  expect(requestsToNext).toEqual([`GET ${STOCK}`, `GET ${OWN}`]);
  // The page cannot be rendered again, and so keeps its previous version.
  delete pagesOfNext["/"];
  await site.refresh(Date.now() + 2 * DAY);
  expect((await get(OWN)).status).toBe(200);
});

test("a picture, size or host that no page shows is refused with 404", async () => {
  showPictures();
  const { get } = await openPageCache();
  const others = [
    picture("https://other.example/road.jpg?fit=crop"),
    picture("https://photos.example/road.jpg"),
    picture("/photo.jpg", 828),
    `${OWN}&x=1`,
    OWN.replace("image", "%69mage").replace("640", "828"),
    "/_next/image",
  ];
  for (const other of others) expect((await get(other)).status, other).toBe(404);
  for (const method of ["POST", "PUT"]) expect((await get(OWN, {}, method)).status).toBe(405);
  expect(requestsToNext).toEqual([]);
});

test("pictures are resized one at a time even after a failure", async () => {
  showPictures();
  delete pagesOfNext[STOCK];
  const { get } = await openPageCache();
  const release = holdNextResponses();
  const answers = [get(STOCK), get(OWN), get(STOCK), get(OWN)];
  await expect.poll(() => requestsToNext.length).toBe(1);
  release();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([500, 200, 500, 200]);
  expect((await get(STOCK)).headers.get("cache-control")).toBe("no-store");
  pagesOfNext[STOCK] = "found";
  expect(await (await get(STOCK)).text()).toBe("found");
});

test("the cache drops the oldest picture once it has more than 64", async () => {
  const addresses = Array.from({ length: 65 }, (_, index) => picture(`/photo-${index}.jpg`));
  pagesOfNext["/"] = pageHtml("/") + addresses.map((each) => `<img src="${each}">`).join("");
  for (const address of addresses) pagesOfNext[address] = address;
  const { get } = await openPageCache();
  const [last = "", first = ""] = addresses;
  for (const address of [first, ...addresses.slice(2), last, last]) await get(address);
  expect(requestsToNext).toHaveLength(65);
  await get(first);
  expect(requestsToNext.at(-1)).toBe(`GET ${first}`);
  expect(requestsToNext).toHaveLength(66);
});
