import { getImageProps } from "next/image";
import { type PhotoAttributes, PhotoImage } from "#components/ui/photo-image.tsx";
import type { Picture } from "#lib/content/picture.ts";

/**
 * Makes the attributes of an `<img>`, on the server only. A photo goes through the image optimizer in the widths that
 * `sizes` can need, an illustration (.svg) does not. Next's own component would add a style attribute, which the
 * content security policy forbids.
 */
export function photoAttributes(picture: Picture, sizes: string): PhotoAttributes {
  const { src, width, height, alt } = picture;
  if (src.endsWith(".svg")) return { width, height, alt, src };
  const { props } = getImageProps({ src, width, height, alt, sizes });
  // `src` comes last, because Safari starts to fetch as soon as it has read `src`.
  return { width, height, alt, sizes, srcSet: props.srcSet, src: props.src };
}

/**
 * The picture component of the site. `className` sets the shape of the frame (such as `aspect-4/3`), so that nothing
 * moves when the picture loads or fails.
 */
export function Photo({
  picture,
  phonePicture,
  sizes,
  className,
  eager,
}: {
  picture: Picture;
  /** The picture for windows under 768 px. It has the alt text of `picture`. */
  phonePicture?: Picture;
  /** The shown width, as in the `sizes` attribute of `<img>`. */
  sizes: string;
  className: string;
  /** True in the first screen. */
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
