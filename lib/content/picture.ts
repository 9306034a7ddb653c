/** A picture of the site: a file in public/ (`/art/car-own.svg`) or a photo at STOCK_PHOTO_HOST. */
export interface Picture {
  readonly src: string;
  /** The file's own size in pixels; only its proportion matters. */
  readonly width: number;
  readonly height: number;
  /** Empty when the picture is only decoration. */
  readonly alt: string;
}

/** Replacement for a picture that does not load. */
export const missingPicture = { src: "/art/placeholder.svg", label: "이미지 준비 중" } as const;
