import { join, relative } from "node:path";
import sharp from "sharp";
import { expect, test, vi } from "vitest";
import { GET } from "#app/previews/[picture]/route.ts";
import { type Art, previews } from "#components/preview/pictures.tsx";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";

test("a link preview shows only the site's own photos, each upright", async () => {
  const folder = makeTemporaryFolder();
  const blue = { create: { width: 40, height: 10, channels: 3, background: "blue" } } as const;
  await sharp({ create: { ...blue.create, height: 20, background: "red" } })
    .composite([{ input: blue, gravity: "south" }])
    // The photo of a phone that was held upside down.
    .withMetadata({ orientation: 3 })
    .toFile(join(folder, "car.jpg"));
  const art: readonly Art[] = [
    [`/${relative("public", join(folder, "car.jpg"))}`, 0, 0, 200, 100],
    ["https://photos.example/road.jpg", 0, 0, 1200, 630],
  ];
  const pricing = previews.get("pricing.jpg");
  if (pricing === undefined) throw new Error("no preview of the prices");
  vi.spyOn(previews, "get").mockReturnValue({ ...pricing, art });
  const request = new Request("http://localhost/previews/pricing.jpg");
  const answer = await GET(request, { params: Promise.resolve({ picture: "pricing.jpg" }) });
  const drawn = sharp(await answer.arrayBuffer());
  const [red = 255, , bluePart] = await drawn
    .extract({ left: 100, top: 20, width: 1, height: 1 })
    .raw()
    .toBuffer();
  expect(red).toBeLessThan(60);
  expect(bluePart).toBeGreaterThan(200);
});
