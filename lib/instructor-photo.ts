/**
 * The instructor's picture: a file in DATA_DIR, so that the owner needs no build. The site sends the file as it is. A
 * file that is too large, or no picture, is left out, and the doctor says why.
 */
import { hash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "#lib/config.ts";

export const INSTRUCTOR_PHOTO_PATH = "/instructor-photo";
/** The address changes with the picture, so browsers need not ask again. */
export const PHOTO_CACHE_CONTROL = "public, max-age=31536000, immutable";
export const PHOTO_MAX_KILOBYTES = 300;
export const PHOTO_MAX_PIXELS = 1_600;

type PhotoConfig = Pick<Config, "dataDir" | "instructorPhoto">;

export interface InstructorPhoto {
  readonly body: Buffer<ArrayBuffer>;
  readonly type: string;
  readonly width: number;
  readonly height: number;
}

/** Why the pages show no picture: no such file, more bytes or pixels than allowed, or none of the three formats. */
export type PhotoFault = "missing" | "heavy" | "large" | "format";

export function readInstructorPhoto({
  dataDir,
  instructorPhoto,
}: PhotoConfig): InstructorPhoto | PhotoFault | undefined {
  if (instructorPhoto === undefined) return undefined;
  const file = join(/* turbopackIgnore: true */ dataDir, instructorPhoto);
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) return "missing";
  if (found.size > PHOTO_MAX_KILOBYTES * 1_024) return "heavy";
  const body = readFileSync(file);
  const measured = measurePicture(body);
  if (!measured) return "format";
  if (Math.max(measured.width, measured.height) > PHOTO_MAX_PIXELS) return "large";
  return { body, ...measured };
}

/** The picture for an `<img>`. The address has a hash of the file: another picture has another address. */
export function instructorPicture(settings: PhotoConfig) {
  const photo = readInstructorPhoto(settings);
  if (typeof photo !== "object") return undefined;
  const { body, width, height } = photo;
  const version = hash("sha256", body).slice(0, 12);
  return { src: `${INSTRUCTOR_PHOTO_PATH}?${version}`, width, height };
}

/** The first bytes decide the format, whatever the file's name says. */
export function measurePicture(bytes: Buffer) {
  try {
    const format = FORMATS.find(({ isFormat }) => isFormat(bytes));
    const [width, height] = format?.sizeOf(bytes) ?? [];
    return format && width && height ? { type: format.type, width, height } : undefined;
  } catch {
    // The file ends before its size.
    return undefined;
  }
}

const FORMATS = [
  {
    type: "image/jpeg",
    isFormat: (bytes: Buffer) => bytes.readUIntBE(0, 3) === 0xffd8ff,
    sizeOf: jpegSize,
  },
  {
    type: "image/png",
    isFormat: (bytes: Buffer) => bytes.subarray(1, 4).toString("latin1") === "PNG",
    sizeOf: (bytes: Buffer) => [bytes.readUInt32BE(16), bytes.readUInt32BE(20)],
  },
  {
    type: "image/webp",
    isFormat: (bytes: Buffer) => /^RIFF.{4}WEBP/s.test(bytes.toString("latin1", 0, 12)),
    sizeOf: webpSize,
  },
];

/** The size is in the segment that starts a frame: 0xffc0 to 0xffcf, except three that start something else. */
function jpegSize(bytes: Buffer): number[] {
  for (let at = 2; bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
  }
  return [];
}

/** The three kinds of WebP: lossy, lossless, and extended (with metadata or transparency). */
function webpSize(bytes: Buffer): number[] {
  const kind = bytes.toString("latin1", 12, 16);
  if (kind === "VP8 ") return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  if (kind === "VP8X") return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  const packed = bytes.readUInt32LE(21);
  return [(packed & 0x3fff) + 1, ((packed >> 14) & 0x3fff) + 1];
}
