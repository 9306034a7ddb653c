import type { ReactNode } from "react";
import { photoAttributes } from "#components/ui/photo-attributes.ts";
import { PhotoImage } from "#components/ui/photo-image.tsx";
import type { Picture } from "#lib/content/picture.ts";

/**
 * The one picture component of the site (a server component). The frame has the shape that `className`
 * gives it (`aspect-4/3`, a height), whatever the picture's own, so that nothing moves when the picture
 * comes, fails or is exchanged for another.
 */
export function Photo({
  picture,
  phonePicture,
  sizes,
  className,
  eager,
  children,
}: {
  picture: Picture;
  /** Another picture for screens under 768 px; the alt text stays the first one's. */
  phonePicture?: Picture;
  /** How wide it is shown, as in `<img sizes>`; photos are fetched accordingly. */
  sizes: string;
  className: string;
  /** For a picture in the first screen. */
  eager?: boolean;
  /** Shown on the picture, and not on its placeholder. */
  children?: ReactNode;
}) {
  return (
    <span className={`relative block overflow-hidden bg-asphalt-100 ${className}`}>
      <PhotoImage
        image={photoAttributes(picture, sizes)}
        phoneImage={phonePicture && photoAttributes(phonePicture, sizes)}
        eager={eager}
      >
        {children}
      </PhotoImage>
    </span>
  );
}
