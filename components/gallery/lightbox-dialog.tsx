"use client";

import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { preloadPhoto, useSwipe, wrapFocus } from "#components/gallery/lightbox-input.ts";
import { type LargeScene, LightboxScene } from "#components/gallery/lightbox-scene.tsx";
import { ChevronLeftIcon, ChevronRightIcon, XIcon } from "#components/ui/form-icons.tsx";
import { fill } from "#lib/content/copy.ts";
import type { LightboxCopy } from "#lib/content/gallery.ts";

const BUTTON =
  "flex items-center justify-center gap-4 rounded-m border border-asphalt-500 bg-asphalt-800 text-white transition-colors duration-colour hover:bg-asphalt-700 active:bg-asphalt-600 focus-visible:rounded-m";
const STEP_BUTTON = `${BUTTON} mb-[calc(1.25rem+env(safe-area-inset-bottom))] min-h-13 font-[650] landscape:max-lg:row-start-3 landscape:max-lg:mx-0 landscape:max-lg:mb-3 lg:row-start-2 lg:mx-0 lg:mb-[8.25rem] lg:size-15 lg:self-center`;
const ICON = { "aria-hidden": true, className: "size-6 shrink-0", strokeWidth: 1.9 } as const;

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
      className="on-dark fixed inset-0 m-0 h-dvh max-h-none w-full max-w-none grid-cols-2 grid-rows-[auto_minmax(10rem,1fr)_auto_auto] gap-x-2 overflow-y-auto overscroll-contain bg-asphalt-900 text-white transition-opacity duration-base open:grid starting:opacity-0 motion-reduce:transition-none landscape:max-lg:grid-cols-[minmax(0,1fr)_5.5rem_5.5rem] landscape:max-lg:grid-rows-[auto_1fr_auto] landscape:max-lg:gap-x-3 landscape:max-lg:px-4 lg:grid-cols-[auto_minmax(0,1fr)_auto] lg:grid-rows-[auto_minmax(18rem,1fr)] lg:gap-x-10 lg:px-10"
    >
      <div className="col-span-2 flex items-center justify-between px-4 py-3 landscape:max-lg:col-start-2 landscape:max-lg:row-start-1 landscape:max-lg:px-0 lg:col-span-3 lg:-mx-2 lg:px-0 lg:py-5">
        <p className="font-semibold tabular">{fill(copy.counter, { n: index + 1, total })}</p>
        <button
          type="button"
          aria-label={copy.close}
          onClick={() => dialog.current?.close()}
          className={`${BUTTON} size-13`}
        >
          <XIcon {...ICON} />
        </button>
      </div>
      <LightboxScene scene={scene} scenes={scenes} titleId={titleId} swipe={swipe} />
      <button
        type="button"
        aria-label={copy.previous.label}
        onClick={() => step(-1)}
        className={`${STEP_BUTTON} ml-5 landscape:max-lg:col-start-2 lg:col-start-1`}
      >
        <ChevronLeftIcon {...ICON} />
        <span className="lg:hidden">{copy.previous.short}</span>
      </button>
      <button
        type="button"
        aria-label={copy.next.label}
        onClick={() => step(1)}
        className={`${STEP_BUTTON} mr-5 landscape:max-lg:col-start-3 lg:col-start-3`}
      >
        <span className="lg:hidden">{copy.next.short}</span>
        <ChevronRightIcon {...ICON} />
      </button>
    </dialog>
  );
}
