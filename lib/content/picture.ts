/** A file in public/ (`/art/car-own.svg`), or a photo at STOCK_PHOTO_HOST. */
export interface Picture {
  readonly src: string;
  /** The file's own pixels. Only the proportion matters. */
  readonly width: number;
  readonly height: number;
  /** Empty for a picture that only decorates. */
  readonly alt: string;
}

export const missingPicture = { src: "/art/placeholder.svg", label: "이미지 준비 중" } as const;
