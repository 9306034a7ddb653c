import { STOCK_PHOTO_HOST } from "#lib/content/business.ts";

/** Formats that every supported browser shows. Only Safari shows the HEIC of an iPhone. */
type PhotoFormat = "avif" | "gif" | "jpeg" | "jpg" | "png" | "webp";

export interface Picture {
  /** A file in public/ (`/art/car-own.svg`), or a photo at STOCK_PHOTO_HOST. */
  readonly src: `/${string}.${"svg" | PhotoFormat | Uppercase<PhotoFormat>}` | `https://${string}`;
  /** The size of the file in pixels. Only the proportion of width and height matters. */
  readonly width: number;
  readonly height: number;
  /** Empty for a picture that only decorates. */
  readonly alt: string;
}

export const placeholderPicture = { src: "/art/placeholder.svg", label: "이미지 준비 중" } as const;

/** The widths in pixels in which the build makes each photo: those of common screens, and of a card at 384 px. */
export const PHOTO_WIDTHS = [384, 640, 828, 1080, 1440, 1920, 2560] as const;
/** Quality of the WebP files and of the host's stock photos, out of 100. */
export const PHOTO_QUALITY = 75;
/** The folder in public/ that the build empties, and fills with the photos that it makes. */
export const RESIZED_PHOTO_FOLDER = "/_resized";

export const isStockPhoto = (src: string) => src.startsWith(`https://${STOCK_PHOTO_HOST}/`);

/** The address of a photo in one of PHOTO_WIDTHS. Undefined for a drawing, or a file that is shown as it is. */
export function resizedPhotoUrl(src: string, width: number): string | undefined {
  if (isStockPhoto(src)) return stockPhotoUrl(src, width);
  // An address in `srcset` ends at the first space.
  return resizedPhotoPath(src, width)?.replaceAll(" ", "%20");
}

/** The file in public/ that the build makes of a photo there. */
export function resizedPhotoPath(src: string, width: number): string | undefined {
  const isMade = /^\/(?!icons\/|_resized\/).+\.(avif|jpe?g|png|webp)$/i.test(src);
  return isMade ? `${RESIZED_PHOTO_FOLDER}${src}/${width}.webp` : undefined;
}

/** `fit=max`: never larger than the photo. https://docs.imgix.com/en-US/apis/rendering */
function stockPhotoUrl(src: string, width: number): string {
  const address = new URL(src);
  const size = { w: width, q: PHOTO_QUALITY, fit: "max", auto: "format" };
  for (const [name, value] of Object.entries(size)) address.searchParams.set(name, `${value}`);
  return address.href;
}
