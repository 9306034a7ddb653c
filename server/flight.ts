/**
 * What React needs to take over a page (its flight data) comes with the page, in some thirty scripts of
 * `self.__next_f.push([1,"…"])`: on the home page as much again as the markup, and nothing that is seen. It
 * becomes a file of its own, which the page asks for together with its scripts. A page and its data must be of
 * one build, so the file is named by its content.
 */
import { hashOf } from "#server/compress.ts";

const PIECE = /<script>self\.__next_f\.push\(\[1,("(?:[^"\\]|\\.)*")\]\)<\/script>/g;
const OPENING = String.raw`<script>\(self\.__next_f=self\.__next_f\|\|\[\]\)\.push\(\[0\]\)</script>`;
const BOOT = `<script id="_R_">([^<]*)</script>`;
const FLIGHT = new RegExp(`${BOOT}${OPENING}((?:${PIECE.source})+)`);

/** Among the files of the build, so that earlier ones are kept with those (deploy/release.sh). */
const ADDRESS = "/_next/static/flight/";

export interface Flight {
  /** The address under which the page asks for it. */
  path: string;
  body: Buffer;
  /** The script that boots Next, which reads the data at once. */
  boot: string;
}

/** The page without its flight data, and that; nothing where it has none in the form that is known here. */
export function takeFlight(html: string): { bare: string; flight: Flight } | undefined {
  const [found, boot = "", pieces = ""] = FLIGHT.exec(html) ?? [];
  if (found === undefined) return undefined;
  const texts = [...pieces.matchAll(PIECE)].map(([, text = '""']) => String(JSON.parse(text)));
  const body = Buffer.from(texts.join(""));
  const path = `${ADDRESS}${hashOf(body)}.txt`;
  return { bare: html.replace(found, ""), flight: { path, body, boot } };
}
