import { getImageProps } from "next/image";
import type { Picture } from "#lib/content/picture.ts";

/** The attributes of a plain `<img>`, ready to be passed to a browser component. */
export interface PhotoAttributes {
  width: number;
  height: number;
  alt: string;
  sizes?: string | undefined;
  srcSet?: string | undefined;
  src: string;
}

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
