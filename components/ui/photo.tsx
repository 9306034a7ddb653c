import { getImageProps } from "next/image";
import { type PhotoAttributes, PhotoImage } from "#components/ui/photo-image.tsx";
import type { Picture } from "#lib/content/picture.ts";

/**
 * The attributes of an `<img>`, on the server only. The image optimizer makes photos in the widths that `sizes` needs.
 * Next's own component would add a style attribute, which the content security policy forbids.
 */
export function photoAttributes(picture: Picture, sizes: string): PhotoAttributes {
  const { src, width, height, alt } = picture;
  if (src.endsWith(".svg")) return { width, height, alt, src };
  const { props } = getImageProps({ src, width, height, alt, sizes });
  // Safari fetches as soon as it has read `src`, so `src` is the last attribute.
  return { width, height, alt, sizes, srcSet: props.srcSet, src: props.src };
}

interface PhotoProps {
  picture: Picture;
  /** The picture for windows under 768 px, with the alt text of `picture`. */
  phonePicture?: Picture;
  /** The shown width, as in `<img sizes>`. */
  sizes: string;
  /** The shape of the frame, such as `aspect-4/3`: nothing moves when the picture loads or fails. */
  className: string;
  eager?: boolean;
}

export function Photo({ picture, phonePicture, sizes, className, eager }: PhotoProps) {
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
