/** The preview pictures depend on no setting, so the build draws them. */
import { readFileSync } from "node:fs";
import { ImageResponse } from "next/og";
import { type Art, drawPreview, previewSize, previews } from "#components/preview/pictures.tsx";

export const dynamic = "force-static";
export const dynamicParams = false;

export const generateStaticParams = () => [...previews.keys()].map((picture) => ({ picture }));

export async function GET(_request: Request, { params }: { params: Promise<{ picture: string }> }) {
  const picture = previews.get((await params).picture);
  if (picture === undefined) return new Response(null, { status: 404 });
  const sharp = await loadSharp();
  const png = new ImageResponse(drawPreview(picture, await readPhotos(picture.art)), {
    ...previewSize,
    fonts: [{ name: "headline", weight: 800, data: readFileSync("app/fonts/preview.ttf") }],
  });
  // The quality keeps lettering sharp, and each picture under 150 KB.
  const jpeg = await sharp(await png.arrayBuffer())
    .jpeg({ quality: 88 })
    .toBuffer();
  return new Response(new Uint8Array(jpeg), { headers: { "content-type": "image/jpeg" } });
}

/** Imported only when a picture is drawn, as the build does: the container has no sharp. */
const loadSharp = async () => (await import("sharp")).default;

/**
 * The data URLs of the photos in public/, upright and cut to their size. ImageResponse would ignore a photo's
 * orientation. A photo of another host is left out, because a build needs no network.
 */
async function readPhotos(art: readonly Art[]): Promise<Map<string, string>> {
  const sharp = await loadSharp();
  const photos = art.filter(([file]) => file.startsWith("/") && !file.endsWith(".svg"));
  const read = photos.map(async ([file, , , width, height]) => {
    const png = await sharp(`public${file}`).autoOrient().resize(width, height).png().toBuffer();
    return [file, `data:image/png;base64,${png.toString("base64")}`] as const;
  });
  return new Map(await Promise.all(read));
}
