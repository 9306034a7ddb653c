/**
 * Measures the first visit to a page: the document, and every file that the HTML or the Link header names. Code that
 * scripts load when the browser is idle is not included.
 */
import { get } from "node:http";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";

/** Bytes as sent. Only scripts are counted as compressed by gzip 9, whatever the server's compression. */
export interface FirstLoad {
  js: number;
  /** The document with the header of its response. */
  document: number;
  css: number;
  fonts: number;
  /** Lazy pictures are left out. */
  pictures: number;
}

/** The addresses of the files that a page and its `Link` header name. */
function listedAddresses(html: string, link: string) {
  const tags = [...html.matchAll(/<(link|img)\b[^>]*>/g)].map(([tag, name]) => ({
    name,
    address: /\s(?:src|href)="([^"]+)"/.exec(tag)?.[1]?.replaceAll("&amp;", "&"),
    tag,
  }));
  const addresses = (fits: (tag: string) => boolean, kind: string) => {
    const found = tags.filter(({ name, tag }) => name === kind && fits(tag));
    return [...new Set(found.flatMap(({ address }) => address ?? []))];
  };
  // server/defer-scripts.ts writes this loop over all scripts into the page.
  const [, scripts = "[]"] = /for\(const src of (\[[^\]]*\])\)/.exec(html) ?? [];
  return {
    scripts: JSON.parse(scripts) as string[],
    styles: addresses((tag) => tag.includes('rel="stylesheet"'), "link"),
    fonts: [...link.matchAll(/<([^>]+)>; rel=preload; as="?font/g)].map(([, font = ""]) => font),
    pictures: addresses((tag) => !tag.includes('loading="lazy"'), "img"),
  };
}

/** Bytes of the header and the body as sent to a browser. `fetch` would decompress the body. */
function bytesAt(url: string): Promise<{ header: number; body: number }> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { "accept-encoding": "br, gzip" } }, (response) => {
      // Two bytes follow the status, each name (`: `), each value (a line break), and the header (an empty line).
      const status = `HTTP/1.1 ${response.statusCode} ${response.statusMessage}`.length + 4;
      const header = response.rawHeaders.reduce((sum, part) => sum + part.length + 2, status);
      buffer(response).then(({ length }) => resolve({ header, body: length }), reject);
    }).on("error", reject);
  });
}

export async function measureFirstLoad(origin: string, path: string): Promise<FirstLoad> {
  const page = await fetch(origin + path);
  const link = page.headers.get("link") ?? "";
  const { scripts, styles, fonts, pictures } = listedAddresses(await page.text(), link);
  if (scripts.length === 0 || styles.length === 0) {
    throw new Error(`${path} names no script or no style: its form is not known here`);
  }
  const sent = async (addresses: readonly string[]) => {
    const bodies = await Promise.all(addresses.map((address) => bytesAt(origin + address)));
    return bodies.reduce((sum, { body }) => sum + body, 0);
  };
  const texts = await Promise.all(
    scripts.map(async (address) => (await fetch(origin + address)).bytes()),
  );
  const { header, body } = await bytesAt(origin + path);
  return {
    js: texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0),
    document: header + body,
    css: await sent(styles),
    fonts: await sent(fonts),
    pictures: await sent(pictures),
  };
}
