import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { PHOTO_WIDTHS, resizedPhotoPath, resizedPhotoUrl } from "#lib/content/picture.ts";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "gray" } });

const makePictures = (cwd: string) =>
  spawnSync(process.execPath, [resolve("build/pictures.ts")], { cwd, encoding: "utf8" });

test("the build makes each photo in every width, upright and never enlarged [72]", async () => {
  const folder = makeTemporaryFolder();
  for (const name of ["icons", "cars", "_resized/gone.jpg"])
    mkdirSync(join(folder, "public", name), { recursive: true });
  await blank(900, 600)
    .jpeg()
    .withMetadata({ orientation: 6 })
    .toFile(join(folder, "public/photo.JPG"));
  await blank(3_000, 2_000).png().toFile(join(folder, "public/cars/own.png"));
  await blank(8, 8).png().toFile(join(folder, "public/icons/icon.png"));
  writeFileSync(join(folder, "public/drawing.svg"), "<svg/>");
  expect(makePictures(folder)).toMatchObject({ status: 0, stderr: "" });
  expect(readdirSync(join(folder, "public/_resized")).toSorted()).toEqual(["cars", "photo.JPG"]);
  for (const width of PHOTO_WIDTHS) {
    for (const [src, most, ratio] of [
      ["/photo.JPG", 600, 3 / 2],
      ["/cars/own.png", 3_000, 2 / 3],
    ] as const) {
      const made = join(folder, "public", resizedPhotoPath(src, width) ?? "");
      const expected = Math.min(width, most);
      expect(await sharp(made).metadata()).toMatchObject({
        ...{ format: "webp", width: expected, height: Math.round(expected * ratio) },
      });
    }
  }
});

test("a picture that cannot be read stops the build, and the error names it", () => {
  const folder = makeTemporaryFolder();
  mkdirSync(join(folder, "public"));
  writeFileSync(join(folder, "public/photo.jpg"), "no photo");
  const { status, stderr } = makePictures(folder);
  expect([status, stderr]).toEqual([1, expect.stringContaining("photo.jpg cannot be read")]);
  expect(existsSync(join(folder, "public/_resized/photo.jpg/640.webp"))).toBe(false);
});

test.each([
  ["/photo.jpg", "/_resized/photo.jpg/640.webp"],
  ["/cars/our car.PNG", "/_resized/cars/our%20car.PNG/640.webp"],
  ["/art/gallery-1.svg", undefined],
  ["/moving.gif", undefined],
  ["/icons/icon-192.png", undefined],
  ["https://other.example/road.jpg", undefined],
  [
    "https://images.unsplash.com/road?ixid=a%26b&w=5000",
    "https://images.unsplash.com/road?ixid=a%26b&w=640&q=75&fit=max&auto=format",
  ],
])("the address of %s in 640 px is %s", (src, address) => {
  expect(resizedPhotoUrl(src, 640)).toBe(address);
});
