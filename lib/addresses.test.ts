import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { parseConfig } from "#lib/config.ts";

const ADDRESSES: [text: string, siteUrl: string, otherUrl: string][] = [
  ["https://practice.test", "https://practice.test", "https://www.practice.test"],
  ["https://practice.test/", "https://practice.test", "https://www.practice.test"],
  ["HTTPS://Practice.TEST.", "https://practice.test", "https://www.practice.test"],
  ["https://practice.test:443/", "https://practice.test", "https://www.practice.test"],
  ["https://practice.test:8443", "https://practice.test:8443", "https://www.practice.test:8443"],
  ["https://www.practice.test", "https://www.practice.test", "https://practice.test"],
  ["https://WWW.Practice.test:84/", "https://www.practice.test:84", "https://practice.test:84"],
  ["https://연수.한국", "https://xn--9p4b93e.xn--3e0b707e", "https://www.xn--9p4b93e.xn--3e0b707e"],
  ["http://localhost:3000", "http://localhost:3000", "http://www.localhost:3000"],
  ["http://203.0.113.7:80", "http://203.0.113.7", "http://www.localhost"],
  ["http://[2001:db8::1]", "http://[2001:db8::1]", "http://www.localhost"],
  ["", "http://localhost:3000", "http://www.localhost:3000"],
];
const HOST = "practice.test";
const NO_ADDRESSES = [
  ...["", "ftp://", "https:", "https:/"].map((start) => start + HOST),
  "https://",
  ...["/contact", "//", "?", "/?from=naver", "#", ":0", ":65536", ":port", "\\"].map(
    (end) => `https://${HOST}${end}`,
  ),
  ...["user@", "user:s3cret@", ".", "-", "*."].map((start) => `https://${start}${HOST}`),
  ...[", ", " "].map((between) => `https://${HOST}${between}https://www.${HOST}`),
  ...["https://practice..test", "https://{$HOME}"],
];

test("the site and Caddy read each SITE_URL alike", () => {
  const readEach = `for url; do
    SITE_URL=$url sh deploy/caddy.sh sh -c 'echo "$SITE_URL $OTHER_URL"' || echo; done`;
  const texts = [...ADDRESSES.map(([text]) => text), ...NO_ADDRESSES];
  const { stdout } = spawnSync("sh", ["-c", readEach, "sh", ...texts], { encoding: "utf8" });
  const byCaddy = stdout.split("\n");
  for (const [index, [text, ...urls]] of ADDRESSES.entries()) {
    expect(parseConfig({ SITE_URL: text })).toMatchObject({ siteUrl: urls[0] });
    // Caddy itself encodes a Hangul domain.
    const encode = (url: string) => (/[가-힣]/.test(url) ? new URL(url).origin : url);
    expect(byCaddy[index]?.split(" ").map(encode)).toEqual(urls);
  }
  for (const [index, text] of NO_ADDRESSES.entries()) {
    const refused = /^ {2}- SITE_URL: https.*practice\.example/m;
    expect(() => parseConfig({ SITE_URL: text })).toThrow(refused);
    expect([text, byCaddy[ADDRESSES.length + index]]).toEqual([text, ""]);
  }
});
