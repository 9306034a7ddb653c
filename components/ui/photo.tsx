import { getImageProps } from "next/image";
import { type PhotoAttributes, PhotoImage } from "#components/ui/photo-image.tsx";
import type { Picture } from "#lib/content/picture.ts";

/**
 * Server only. An illustration (.svg) is served as it is; a photo goes through the image optimizer, in the
 * widths that `sizes` can need. Next's own component would add a style attribute, which the policy refuses.
 */
export function photoAttributes(picture: Picture, sizes: string): PhotoAttributes {
  const { src, width, height, alt } = picture;
  if (src.endsWith(".svg")) return { width, height, alt, src };
  const { props } = getImageProps({ src, width, height, alt, sizes });
  // In this order: Safari starts to fetch as soon as it meets `src`.
  return { width, height, alt, sizes, srcSet: props.srcSet, src: props.src };
}

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
}: {
  picture: Picture;
  /** Another picture for screens under 768 px; the alt text stays the first one's. */
  phonePicture?: Picture;
  /** How wide it is shown, as in `<img sizes>`; photos are fetched accordingly. */
  sizes: string;
  className: string;
  /** For a picture in the first screen. */
  eager?: boolean;
}) {
  return (
    <span className={`photo ${className}`}>
      <PhotoImage
        image={photoAttributes(picture, sizes)}
        phoneImage={phonePicture && photoAttributes(phonePicture, sizes)}
        eager={eager}
      />
    </span>
  );
}
