/**
 * After a build: compresses its pages and files as the server will send them, so that a start costs no
 * seconds of Brotli. What is missed here, the server compresses itself.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterPaint } from "#server/after-paint.ts";
import { COMPRESSED_FOLDER, compress, compressedFile, ENCODINGS } from "#server/compress.ts";

const SENT = [
  ".next/static/**/*.{css,js,svg}",
  ".next/server/app/**/*.{html,body}",
  "public/**/*.{js,svg}",
];

rmSync(COMPRESSED_FOLDER, { recursive: true, force: true });
mkdirSync(COMPRESSED_FOLDER);
let [files, before, after] = [0, 0, 0];
for (const file of globSync(SENT)) {
  const read = readFileSync(file);
  const body = file.endsWith(".html") ? Buffer.from(afterPaint(read.toString())) : read;
  for (const encoding of ENCODINGS) {
    const small = await compress(body, encoding);
    writeFileSync(compressedFile(".", body, encoding), small);
    if (encoding === "br") after += small.length;
  }
  files += 1;
  before += body.length;
}
const kilobytes = (bytes: number) => `${Math.round(bytes / 1024)} KB`;
console.info(
  `${COMPRESSED_FOLDER}: ${files} files, ${kilobytes(before)} → ${kilobytes(after)} (br)`,
);
