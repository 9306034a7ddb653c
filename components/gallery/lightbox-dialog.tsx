"use client";

import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { preloadPhoto, useSwipe, wrapFocus } from "#components/gallery/lightbox-input.ts";
import { ChevronLeftIcon, ChevronRightIcon, XIcon } from "#components/ui/icons.tsx";
import type { PhotoAttributes } from "#components/ui/photo-attributes.ts";
import { PhotoImage } from "#components/ui/photo-image.tsx";
import { useCloseOnBack } from "#components/ui/use-close-on-back.ts";
import { fill } from "#lib/content/copy.ts";
import type { LightboxCopy } from "#lib/content/gallery.ts";

const ICON = "size-6";

/** A scene as the lightbox shows it. */
export interface LargeScene {
  title: string;
  description?: string | undefined;
  image: PhotoAttributes;
}

interface Props {
  scenes: readonly LargeScene[];
  /** The scene that it opens on. */
  start: number;
  copy: LightboxCopy;
  onClosed: () => void;
}

/** The scenes in full screen, one at a time. Mounted while it is open. */
export function LightboxDialog({ scenes, start, copy, onClosed }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [index, setIndex] = useState(start);
  const total = scenes.length;
  const step = (by: number) => setIndex((now) => (now + by + total) % total);
  const swipe = useSwipe(step);
  useCloseOnBack(true, () => dialog.current?.close());

  useEffect(() => {
    if (dialog.current?.open) return;
    dialog.current?.showModal();
    // Safari would draw the ring of the focus around the first button, also after a tap.
    dialog.current?.focus();
  }, []);

  useEffect(() => {
    for (const by of [1, -1]) {
      const neighbour = scenes[(index + by + total) % total];
      if (neighbour) preloadPhoto(neighbour.image);
    }
  }, [scenes, index, total]);

  const onKeyDown = (event: KeyboardEvent<HTMLDialogElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowRight") step(1);
    else if (event.key === "ArrowLeft") step(-1);
    else if (event.key === "Tab") wrapFocus(event);
  };

  const scene = scenes[index];
  if (!scene) return null;
  return (
    <dialog
      ref={dialog}
      tabIndex={-1}
      aria-labelledby={titleId}
      onClose={onClosed}
      onKeyDown={onKeyDown}
      className="lightbox on-dark"
    >
      <div className="lightbox-bar">
        <p className="font-semibold tabular">{fill(copy.counter, { n: index + 1, total })}</p>
        <button
          type="button"
          aria-label={copy.close}
          onClick={() => dialog.current?.close()}
          className="lightbox-button size-13"
        >
          <XIcon className={ICON} />
        </button>
      </div>
      <Scene scene={scene} scenes={scenes} titleId={titleId} swipe={swipe} />
      <button
        type="button"
        aria-label={copy.previous.label}
        onClick={() => step(-1)}
        className="lightbox-button lightbox-step lightbox-previous"
      >
        <ChevronLeftIcon className={ICON} />
        <span className="lg:hidden">{copy.previous.short}</span>
      </button>
      <button
        type="button"
        aria-label={copy.next.label}
        onClick={() => step(1)}
        className="lightbox-button lightbox-step lightbox-next"
      >
        <span className="lg:hidden">{copy.next.short}</span>
        <ChevronRightIcon className={ICON} />
      </button>
    </dialog>
  );
}

interface SceneProps {
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
function Scene({
  scene,
  scenes,
  titleId,
  swipe,
}: SceneProps & { swipe: ReturnType<typeof useSwipe> }) {
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

function Caption({ scene, scenes, titleId }: SceneProps) {
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
