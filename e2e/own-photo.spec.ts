import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Site } from "#e2e/site.ts";
import { expect, test } from "#e2e/test.ts";

const [WIDTH, HEIGHT] = [4000, 3000];
/** Of next.config.ts: a phone's, a tablet's, a wide screen's. */
const SHOWN_WIDTHS = [640, 1080, 2560];

test("a photo of 12 megapixels travels in the width of the screen, as WebP", async ({ page }) => {
  const folder = await mkdtemp(join(tmpdir(), "photo-"));
  await cp("public", join(folder, "public"), { recursive: true });
  // As of a camera: every pixel differs a little from the next.
  const photo = await page.evaluate(
    async ([width, height]) => {
      const canvas = Object.assign(document.createElement("canvas"), { width, height });
      const context = canvas.getContext("2d");
      if (!context) throw new Error("no canvas");
      const stripe = context.createImageData(width, 1);
      for (let y = 0; y < height; y += 1) {
        for (let index = 0; index < stripe.data.length; index += 1) {
          const slope = (index / stripe.data.length + y / height) * 110;
          stripe.data[index] = index % 4 === 3 ? 255 : slope + Math.random() * 30;
        }
        context.putImageData(stripe, 0, y);
      }
      const url = canvas.toDataURL("image/jpeg", 0.9);
      return url.slice(url.indexOf(",") + 1);
    },
    [WIDTH, HEIGHT] as const,
  );
  const bytes = Buffer.from(photo, "base64");
  expect(bytes.length).toBeGreaterThan(3_000_000);
  await writeFile(join(folder, "public/photo.jpg"), bytes);
  await cp(".next", join(folder, ".next"), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.startsWith(join(".next", "cache")),
  });
  for (const name of ["lib", "next.config.ts", "node_modules", "package.json"]) {
    await symlink(resolve(name), join(folder, name));
  }
  const site = await Site.start({}, folder);
  try {
    await page.goto(site.url);
    for (const width of SHOWN_WIDTHS) {
      const shown = await page.evaluate(async (address) => {
        const image = Object.assign(new Image(), { src: address });
        await image.decode();
        return [image.naturalWidth, image.naturalHeight];
      }, `/_next/image?url=%2Fphoto.jpg&w=${width}&q=75`);
      expect(shown).toEqual([width, (width * HEIGHT) / WIDTH]);
    }
    const answer = await fetch(`${site.url}/_next/image?url=%2Fphoto.jpg&w=828&q=75`, {
      headers: { accept: "image/webp,*/*" },
    });
    expect(answer.headers.get("content-type")).toBe("image/webp");
    expect((await answer.arrayBuffer()).byteLength).toBeLessThan(bytes.length / 10);
  } finally {
    await site.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
