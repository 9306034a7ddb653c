import { writeFileSync } from "node:fs";
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
  const read = (instructorPhoto?: string) => {
    const photo = readInstructorPhoto({ dataDir, instructorPhoto });
    return typeof photo === "object" ? photo.type : photo;
  };
  expect(read()).toBeUndefined();
  expect([...Object.keys(files), "none.jpg", "."].map(read)).toEqual([
    ...["image/jpeg", "image/jpeg", "image/png", "image/webp"],
    "heavy",
    ...["format", "format", "format"],
    ...["missing", "missing"],
  ]);
});

test("a changed photo of the instructor gets another address", async () => {
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
