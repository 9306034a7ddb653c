/** The preview pictures depend on no setting, so the build draws them. */
import { readFileSync } from "node:fs";
import { ImageResponse } from "next/og";
import sharp from "sharp";
import { drawPreview, previewSize, previews } from "#components/preview/pictures.tsx";

export const dynamic = "force-static";
export const dynamicParams = false;

/** Keeps lettering sharp, and each picture under 150 KB. */
const JPEG_QUALITY = 88;

export const generateStaticParams = () => [...previews.keys()].map((picture) => ({ picture }));

function drawing(file: string, colour?: string): string {
  const svg = readFileSync(`public${file}`, "utf8");
  // resvg takes the value of `currentColor` only from the root element.
  const coloured = colour ? svg.replace(/color="[^"]*"/, `color="${colour}"`) : svg;
  return `data:image/svg+xml;base64,${Buffer.from(coloured).toString("base64")}`;
}

export async function GET(_request: Request, { params }: { params: Promise<{ picture: string }> }) {
  const picture = previews.get((await params).picture);
  if (picture === undefined) return new Response(null, { status: 404 });
  const png = new ImageResponse(drawPreview(picture, drawing), {
    ...previewSize,
    fonts: [{ name: "headline", weight: 800, data: readFileSync("app/fonts/preview.ttf") }],
  });
  const jpeg = await sharp(await png.arrayBuffer())
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer();
  return new Response(new Uint8Array(jpeg), { headers: { "content-type": "image/jpeg" } });
}
