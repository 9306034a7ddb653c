/** Makes each photo of public/ in the widths that pages ask for, so that no visitor waits for the resizing. */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import sharp from "sharp";
import {
  PHOTO_QUALITY,
  PHOTO_WIDTHS,
  RESIZED_PHOTO_FOLDER,
  resizedPhotoPath,
} from "#lib/content/picture.ts";

const PUBLIC = "public";

rmSync(join(PUBLIC, RESIZED_PHOTO_FOLDER), { recursive: true, force: true });
for (const name of readdirSync(PUBLIC, { recursive: true, encoding: "utf8" })) {
  const src = `/${name.replaceAll("\\", "/")}`;
  for (const width of PHOTO_WIDTHS) {
    const made = resizedPhotoPath(src, width);
    if (made !== undefined) await resize(join(PUBLIC, name), width, join(PUBLIC, made));
  }
}

async function resize(photo: string, width: number, resized: string): Promise<void> {
  mkdirSync(dirname(resized), { recursive: true });
  try {
    await sharp(photo, { animated: true })
      .autoOrient()
      .resize({ width, withoutEnlargement: true })
      .webp({ quality: PHOTO_QUALITY })
      .toFile(resized);
  } catch (cause) {
    throw new Error(`${photo} cannot be read as a photo.`, { cause });
  }
}
