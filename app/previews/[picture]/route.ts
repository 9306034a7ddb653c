/** The preview pictures depend on no setting, so the build draws them. */
import { readFileSync } from "node:fs";
import { ImageResponse } from "next/og";
import sharp from "sharp";
import { drawPreview, previewSize, previews } from "#components/preview/pictures.tsx";

export const dynamic = "force-static";
export const dynamicParams = false;

/** The quality keeps lettering sharp, and each picture under 150 KB. */
const JPEG_QUALITY = 88;

export const generateStaticParams = () => [...previews.keys()].map((picture) => ({ picture }));

export async function GET(_request: Request, { params }: { params: Promise<{ picture: string }> }) {
  const picture = previews.get((await params).picture);
  if (picture === undefined) return new Response(null, { status: 404 });
  const png = new ImageResponse(drawPreview(picture), {
    ...previewSize,
    fonts: [{ name: "headline", weight: 800, data: readFileSync("app/fonts/preview.ttf") }],
  });
  const jpeg = await sharp(await png.arrayBuffer())
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer();
  return new Response(new Uint8Array(jpeg), { headers: { "content-type": "image/jpeg" } });
}
