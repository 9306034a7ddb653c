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
      className="contents lg:col-start-2 lg:row-start-2 lg:mb-8 lg:flex lg:flex-col lg:items-center lg:justify-center lg:[container-type:size]"
    >
      <div
        {...swipe}
        className="col-span-2 grid [touch-action:pan-y_pinch-zoom] place-items-center [container-type:size] landscape:max-lg:col-span-1 landscape:max-lg:row-span-3 landscape:max-lg:row-start-1 landscape:max-lg:my-3 lg:[container-type:normal]"
      >
        <div className="relative aspect-(--ratio) w-[min(100cqw,100cqh*var(--ratio))] overflow-hidden bg-asphalt-800 lg:w-[min(100cqw,(100cqh-6.25rem)*var(--ratio))] lg:rounded-s">
          <PhotoImage key={scene.image.src} image={scene.image} fit="contain" eager />
        </div>
      </div>
      <Caption scene={scene} scenes={scenes} titleId={titleId} />
    </div>
  );
}

function Caption({ scene, scenes, titleId }: Props) {
  return (
    <div className="col-span-2 grid px-5 pt-4 pb-5 landscape:max-lg:col-start-2 landscape:max-lg:row-start-2 landscape:max-lg:self-end landscape:max-lg:px-0 lg:min-h-25 lg:w-[min(100cqw,(100cqh-6.25rem)*var(--ratio))] lg:px-0 lg:pb-0">
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
