/** Formats that every browser shows. Only Safari shows the HEIC of an iPhone. */
type PhotoFormat = "avif" | "gif" | "jpeg" | "jpg" | "png" | "webp";

export interface Picture {
  /** A file in public/ (`/art/car-own.svg`), or a photo at STOCK_PHOTO_HOST. */
  readonly src: `/${string}.${"svg" | PhotoFormat | Uppercase<PhotoFormat>}` | `https://${string}`;
  /** The file's own pixels. Only the proportion matters. */
  readonly width: number;
  readonly height: number;
  /** Empty for a picture that only decorates. */
  readonly alt: string;
}

export const placeholderPicture = { src: "/art/placeholder.svg", label: "이미지 준비 중" } as const;
