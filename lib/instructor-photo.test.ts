import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import {
  instructorPicture,
  measurePicture,
  PHOTO_MAX_PIXELS,
  readInstructorPhoto,
} from "#lib/instructor-photo.ts";
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

test.each([
  ["JPEG", drawn(640, 480).jpeg(), "image/jpeg"],
  ["progressive JPEG", drawn(640, 480).withMetadata().jpeg({ progressive: true }), "image/jpeg"],
  ["PNG", drawn(640, 480).png(), "image/png"],
  ["lossy WebP", drawn(640, 480).webp(), "image/webp"],
  ["lossless WebP", drawn(640, 480).webp({ lossless: true }), "image/webp"],
  ["WebP with metadata", drawn(640, 480).withMetadata().webp(), "image/webp"],
])("the bytes of a %s tell its type and size", async (_, picture, type) => {
  const bytes = await picture.toBuffer();
  expect(measurePicture(bytes)).toEqual({ type, width: 640, height: 480 });
  for (const length of [4, 12, 20])
    expect(measurePicture(bytes.subarray(0, length))).toBeUndefined();
});

test("only a JPEG, PNG or WebP within the limits is shown", async () => {
  const dataDir = makeTemporaryFolder();
  const files = {
    "good.jpg": await drawn(PHOTO_MAX_PIXELS, 900).jpeg().toBuffer(),
    "wide.jpg": await drawn(PHOTO_MAX_PIXELS + 1, 900)
      .jpeg()
      .toBuffer(),
    "heavy.png": await noise(800, 600),
    "applications.db": Buffer.from("SQLite format 3\0".repeat(9)),
    "drawing.svg": Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
    "empty.jpg": Buffer.alloc(0),
  };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(dataDir, name), bytes);
  const read = (instructorPhoto?: string) => readInstructorPhoto({ dataDir, instructorPhoto });
  expect(read()).toBeUndefined();
  expect(read("good.jpg")).toMatchObject({ type: "image/jpeg", width: PHOTO_MAX_PIXELS });
  expect([...Object.keys(files).slice(1), "none.jpg", "."].map(read)).toEqual([
    "large",
    "heavy",
    ...["format", "format", "format"],
    ...["missing", "missing"],
  ]);
});

test("a changed picture gets another address", async () => {
  const dataDir = makeTemporaryFolder();
  const config = { dataDir, instructorPhoto: "photo" };
  const addresses = new Set<string | undefined>();
  for (const width of [600, 601, 601]) {
    writeFileSync(join(dataDir, "photo"), await drawn(width, 600).png().toBuffer());
    addresses.add(instructorPicture(config)?.src);
  }
  expect([...addresses]).toEqual([
    expect.stringMatching(/^\/instructor-photo\?[0-9a-f]{12}$/),
    expect.stringMatching(/^\/instructor-photo\?[0-9a-f]{12}$/),
  ]);
});
