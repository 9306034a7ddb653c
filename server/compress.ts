/** Bodies in fewer bytes. The build compresses what it knows; a start only reads it. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

export const ENCODINGS = ["br", "gzip"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Below the folder of a site; written by build/compress.ts. */
export const COMPRESSED_FOLDER = ".next/compressed";

/** Names a body by its content. */
export function hashOf(body: Buffer): string {
  return createHash("sha256").update(body).digest("base64url").slice(0, 22);
}

/** Where a body is kept in an encoding: by its content, so that what is read always fits. */
export function compressedFile(folder: string, body: Buffer, encoding: Encoding): string {
  return join(folder, COMPRESSED_FOLDER, `${hashOf(body)}.${encoding}`);
}

/** As the build compressed it, or compressed now: a page that was made anew since is not among the files. */
export async function compressed(
  folder: string,
  body: Buffer,
  encoding: Encoding,
): Promise<Buffer> {
  try {
    return await readFile(compressedFile(folder, body, encoding));
  } catch {
    return compress(body, encoding);
  }
}

/** As small as it gets. */
export function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === "gzip") return promisify(gzip)(body, { level: constants.Z_BEST_COMPRESSION });
  return promisify(brotliCompress)(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}
