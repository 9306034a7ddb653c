import { type PhotoAttributes, PhotoImage } from "#components/ui/photo-image.tsx";
import { PHOTO_WIDTHS, type Picture, resizedPhotoUrl } from "#lib/content/picture.ts";

/** The attributes of an `<img>` that shows a photo in the widths that `sizes` needs, and a drawing as it is. */
export function photoAttributes(picture: Picture, sizes: string): PhotoAttributes {
  const { src, width, height, alt } = picture;
  const widest = resizedPhotoUrl(src, Math.max(...PHOTO_WIDTHS));
  if (widest === undefined) return { width, height, alt, src };
  const srcSet = PHOTO_WIDTHS.map((each) => `${resizedPhotoUrl(src, each)} ${each}w`).join(", ");
  // Safari fetches as soon as it has read `src`, so `src` is the last attribute.
  return { width, height, alt, sizes, srcSet, src: widest };
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
