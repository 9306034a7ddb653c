"use client";

import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { preloadPhoto, useSwipe, wrapFocus } from "#components/gallery/lightbox-input.ts";
import { type LargeScene, LightboxScene } from "#components/gallery/lightbox-scene.tsx";
import { ChevronLeftIcon, ChevronRightIcon, XIcon } from "#components/ui/icons.tsx";
import { useCloseOnBack } from "#components/ui/use-close-on-back.ts";
import { fill } from "#lib/content/copy.ts";
import type { LightboxCopy } from "#lib/content/gallery.ts";

const ICON = "size-6";

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
    if (!dialog.current?.open) dialog.current?.showModal();
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
      <LightboxScene scene={scene} scenes={scenes} titleId={titleId} swipe={swipe} />
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
