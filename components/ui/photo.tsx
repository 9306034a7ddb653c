import { getImageProps } from "next/image";
import { type PhotoAttributes, PhotoImage } from "#components/ui/photo-image.tsx";
import type { Picture } from "#lib/content/picture.ts";

/**
 * Makes the attributes of an `<img>`, on the server only. An illustration (.svg) is served unchanged; a photo goes
 * through the image optimizer, in the widths that `sizes` can need. Next's own component would add a style attribute,
 * which the content policy refuses.
 */
export function photoAttributes(picture: Picture, sizes: string): PhotoAttributes {
  const { src, width, height, alt } = picture;
  if (src.endsWith(".svg")) return { width, height, alt, src };
  const { props } = getImageProps({ src, width, height, alt, sizes });
  // `src` comes last: Safari starts to fetch as soon as it reads `src`.
  return { width, height, alt, sizes, srcSet: props.srcSet, src: props.src };
}

/**
 * The one picture component of the site, rendered on the server. `className` gives the frame its shape
 * (`aspect-4/3`, a height), so that nothing moves when the picture loads, fails, or is replaced by a picture of
 * another shape.
 */
export function Photo({
  picture,
  phonePicture,
  sizes,
  className,
  eager,
}: {
  picture: Picture;
  /** Replaces the picture on screens under 768 px, where the first one's alt text stays. */
  phonePicture?: Picture;
  /** The `sizes` attribute of `<img>`: the shown width, which decides the fetched width. */
  sizes: string;
  className: string;
  /** True for a picture in the first screen. */
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
