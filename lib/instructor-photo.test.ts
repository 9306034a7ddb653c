import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { instructorPicture, readInstructorPhoto } from "#lib/instructor-photo.ts";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";

const drawn = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#006b4b" } });

/** A picture with random pixels, which no format can compress. */
async function noise(width: number, height: number) {
  const raw = { width, height, channels: 3 as const };
  const pixels = crypto.getRandomValues(Buffer.alloc(60_000));
  const all = Buffer.alloc(width * height * 3, pixels);
  return sharp(all, { raw }).png().toBuffer();
}

test("an instructor's photo is shown only as a JPEG, PNG or WebP within the limit", async () => {
  const dataDir = makeTemporaryFolder();
  const files = {
    "photo.jpg": await drawn(640, 480).jpeg().toBuffer(),
    "progressive.jpg": await drawn(640, 480).withMetadata().jpeg({ progressive: true }).toBuffer(),
    "photo.png": await drawn(640, 480).png().toBuffer(),
    "photo.webp": await drawn(640, 480).webp().toBuffer(),
    "heavy.png": await noise(800, 600),
    "applications.db": Buffer.from("SQLite format 3\0".repeat(9)),
    "drawing.svg": Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
    "empty.jpg": Buffer.alloc(0),
  };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(dataDir, name), bytes);
  symlinkSync("loop.jpg", join(dataDir, "loop.jpg"));
  const read = (instructorPhoto?: string) => {
    const photo = readInstructorPhoto({ dataDir, instructorPhoto });
    return typeof photo === "object" ? photo.type : photo;
  };
  expect(read()).toBeUndefined();
  expect([...Object.keys(files), "none.jpg", ".", "loop.jpg"].map(read)).toEqual([
    ...["image/jpeg", "image/jpeg", "image/png", "image/webp"],
    "heavy",
    ...["format", "format", "format"],
    ...["missing", "missing", "unreadable"],
  ]);
});

test("a photo that is replaced keeps its address until a restart", async () => {
  const dataDir = makeTemporaryFolder();
  const addressOf = async (instructorPhoto: string, width: number) => {
    writeFileSync(join(dataDir, instructorPhoto), await drawn(width, 600).png().toBuffer());
    return instructorPicture({ dataDir, instructorPhoto })?.src;
  };
  const first = await addressOf("photo", 600);
  expect(first).toMatch(/^\/instructor-photo\?[0-9a-f]{12}$/);
  expect(await addressOf("photo", 601)).toBe(first);
  expect(await addressOf("same", 600)).toBe(first);
  expect(await addressOf("other", 601)).not.toBe(first);
});
