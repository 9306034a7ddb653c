"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { type Picture, placeholderPicture } from "#lib/content/picture.ts";

/** The attributes of an `<img>` that the server hands to a client component. */
export interface PhotoAttributes extends Omit<Picture, "src"> {
  src: string;
  sizes?: string | undefined;
  srcSet?: string | undefined;
}

const FILL = "absolute inset-0 size-full";

interface PhotoImageProps {
  image: PhotoAttributes;
  /** The picture for windows under 768 px. */
  phoneImage?: PhotoAttributes | undefined;
  /** True for a picture in the first screen. */
  eager?: boolean | undefined;
  /** Content over the picture, left out if the picture is missing. */
  children?: ReactNode;
}

export function PhotoImage({ image, phoneImage, eager, children }: PhotoImageProps) {
  const element = useRef<HTMLImageElement>(null);
  const [isMissing, setMissing] = useState(false);

  useEffect(() => {
    const img = element.current;
    // If the picture failed before hydration, it is requested again: the second failure calls the error handler.
    if (img?.complete && img.naturalWidth === 0) img.setAttribute("src", img.src);
  }, []);

  if (isMissing) {
    return (
      <>
        <img src={placeholderPicture.src} alt="" className={FILL} />
        <span className="absolute bottom-3 left-3 rounded-s bg-white px-3 py-1.5 font-semibold text-asphalt-900 type-small">
          {placeholderPicture.label}
        </span>
      </>
    );
  }
  const { alt, ...attributes } = image;
  return (
    <>
      <picture>
        {phoneImage && (
          <source
            media="(width < 48rem)"
            srcSet={phoneImage.srcSet ?? phoneImage.src}
            sizes={phoneImage.sizes}
          />
        )}
        <img
          ref={element}
          alt={alt}
          loading={eager ? "eager" : "lazy"}
          fetchPriority={eager ? "high" : undefined}
          decoding="async"
          className={FILL}
          onError={() => setMissing(true)}
          {...attributes}
        />
      </picture>
      {children}
    </>
  );
}
