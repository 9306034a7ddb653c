/**
 * The instructor's picture: a file in DATA_DIR, so that the owner needs no build. The site sends the file as it is. A
 * file that is too large, unreadable, or no picture, is left out, and the doctor says why.
 */
import { hash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "#lib/config.ts";

export const INSTRUCTOR_PHOTO_PATH = "/instructor-photo";
/** The address changes with the picture, so browsers need not ask again. */
export const PHOTO_CACHE_CONTROL = "public, max-age=31536000, immutable";
export const PHOTO_MAX_KILOBYTES = 300;

type PhotoConfig = Pick<Config, "dataDir" | "instructorPhoto">;

/** Why the pages show no picture: no such file, no right to read it, too many bytes, or none of the three formats. */
export type PhotoFault = "missing" | "unreadable" | "heavy" | "format";

type InstructorPhoto = { body: Buffer; type: string } | PhotoFault;

/** Read once, like the settings: a picture under the address of an earlier one would stay in browsers for a year. */
const photos = new Map<string, InstructorPhoto>();

export function readInstructorPhoto({
  dataDir,
  instructorPhoto,
}: PhotoConfig): InstructorPhoto | undefined {
  if (instructorPhoto === undefined) return undefined;
  const file = join(/* turbopackIgnore: true */ dataDir, instructorPhoto);
  const photo = photos.get(file) ?? readPhoto(file);
  photos.set(file, photo);
  return photo;
}

function readPhoto(file: string): InstructorPhoto {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found?.isFile()) return "missing";
    if (found.size > PHOTO_MAX_KILOBYTES * 1_024) return "heavy";
    const body = readFileSync(file);
    const type = pictureType(body);
    return type === undefined ? "format" : { body, type };
  } catch {
    return "unreadable";
  }
}

/** The picture for an `<img>`. The address has a hash of the file: another picture has another address. */
export function instructorPicture(settings: PhotoConfig) {
  const photo = readInstructorPhoto(settings);
  if (typeof photo !== "object") return undefined;
  const version = hash("sha256", photo.body).slice(0, 12);
  return { src: `${INSTRUCTOR_PHOTO_PATH}?${version}` };
}

/** Finds the format by the first bytes, because the file's name may be wrong. */
function pictureType(bytes: Buffer): string | undefined {
  const head = bytes.toString("latin1", 0, 12);
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("\x89PNG")) return "image/png";
  return /^RIFF.{4}WEBP/s.test(head) ? "image/webp" : undefined;
}
