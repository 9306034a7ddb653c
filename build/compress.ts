/**
 * After a build: compresses pages and files as the server will send them, so that a start costs no seconds of
 * Brotli. The server compresses what is missing here.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterPaint } from "#server/after-paint.ts";
import { COMPRESSED_FOLDER, compress, compressedFile, ENCODINGS } from "#server/compress.ts";

const PAGES = ".next/server/app/**/*.html";
const FILES = [
  ".next/static/**/*.{css,js,svg,txt}",
  ".next/server/app/**/*.body",
  "public/**/*.{js,svg}",
];

rmSync(COMPRESSED_FOLDER, { recursive: true, force: true });
mkdirSync(COMPRESSED_FOLDER);
const pages = globSync(PAGES).map((file) => Buffer.from(afterPaint(readFileSync(file, "utf8"))));
const sent = [...pages, ...globSync(FILES).map((file) => readFileSync(file))];
let [before, after] = [0, 0];
for (const body of sent) {
  for (const encoding of ENCODINGS) {
    const small = await compress(body, encoding);
    writeFileSync(compressedFile(".", body, encoding), small);
    if (encoding === "br") after += small.length;
  }
  before += body.length;
}
const kilobytes = (bytes: number) => `${Math.round(bytes / 1024)} KB`;
console.info(
  `${COMPRESSED_FOLDER}: ${sent.length} files, ${kilobytes(before)} → ${kilobytes(after)} (br)`,
);
