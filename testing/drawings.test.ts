import { globSync, readFileSync } from "node:fs";
import sharp from "sharp";
import { expect, test } from "vitest";
import design from "../tailwind.config.ts";

const { lane, sign } = design.theme.colors;

test.each([
  ["yellow", lane[500], "{car-own,car-sedan,cta,gallery-[1-6],hero*}"],
  ["green", sign[700], "{car-suv,gallery-1,gallery-3,hero*,logo}"],
])("the %s of the palette, %s, is in the drawings %s", (_name, colour, drawings) => {
  const files = globSync(`public/art/${drawings}.svg`);
  expect(files.length).toBeGreaterThan(0);
  const others = files.filter((file) => !readFileSync(file, "utf8").toUpperCase().includes(colour));
  expect(others).toEqual([]);
});

const ICONS = globSync("{public/icons,app}/*icon*.{png,ico,svg}");
test.each(ICONS)("the background of %s is the green of the palette", async (file) => {
  const bytes = readFileSync(file);
  // The favicon contains PNG files.
  const image = sharp(bytes.subarray(Math.max(0, bytes.indexOf("\x89PNG", "latin1"))));
  const { width } = await image.metadata();
  const place = { left: Math.floor(width / 2), top: Math.floor(width / 16), width: 1, height: 1 };
  const pixel = await image.extract(place).raw().toBuffer();
  expect(`#${pixel.toString("hex", 0, 3).toUpperCase()}`).toBe(sign[700]);
});
