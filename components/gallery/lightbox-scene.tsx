"use client";

import type { useSwipe } from "#components/gallery/lightbox-input.ts";
import type { PhotoAttributes } from "#components/ui/photo-attributes.ts";
import { PhotoImage } from "#components/ui/photo-image.tsx";

/** A scene as the lightbox shows it. */
export interface LargeScene {
  title: string;
  description?: string | undefined;
  image: PhotoAttributes;
}

interface Props {
  scene: LargeScene;
  /** All of them: the caption keeps the room that the longest one needs. */
  scenes: readonly LargeScene[];
  titleId: string;
}

/**
 * The picture, as large as fits beside the caption. From 1024 px the two are one block (with 6.25rem for
 * the caption), so that the caption stands at the picture's left edge; narrower, the caption is a row of
 * the dialog's grid, and on a phone held sideways it stands right of the picture.
 */
export function LightboxScene({
  scene,
  scenes,
  titleId,
  swipe,
}: Props & { swipe: ReturnType<typeof useSwipe> }) {
  const { width, height } = scene.image;
  return (
    <div
      ref={(block) => block?.style.setProperty("--ratio", `${width / height}`)}
      className="lightbox-scene"
    >
      <div {...swipe} className="lightbox-picture">
        <div className="lightbox-frame">
          <PhotoImage key={scene.image.src} image={scene.image} fit="contain" eager />
        </div>
      </div>
      <Caption scene={scene} scenes={scenes} titleId={titleId} />
    </div>
  );
}

function Caption({ scene, scenes, titleId }: Props) {
  return (
    <div className="lightbox-caption">
      {scenes.map((other) => (
        <div key={other.title} aria-hidden className="invisible col-start-1 row-start-1">
          <p className="type-h3">{other.title}</p>
          <p className="mt-1 type-body">{other.description}</p>
        </div>
      ))}
      <div aria-live="polite" className="col-start-1 row-start-1">
        <h2 id={titleId} className="type-h3">
          {scene.title}
        </h2>
        {scene.description && (
          <p className="mt-1 text-asphalt-300 type-body">{scene.description}</p>
        )}
      </div>
    </div>
  );
}
