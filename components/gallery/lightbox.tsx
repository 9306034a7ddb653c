"use client";

import { createContext, type ReactNode, useCallback, useRef, useState } from "react";
import { LightboxDialog } from "#components/gallery/lightbox-dialog.tsx";
import type { LargeScene } from "#components/gallery/lightbox-scene.tsx";
import type { LightboxCopy } from "#lib/content/gallery.ts";

/** Opens the lightbox on a scene; the focus returns to `opener` afterwards. */
export const OpenScene = createContext<(index: number, opener: HTMLElement) => void>(() => {});

/** Holds whether the lightbox is open, for the cards within it. */
export function Lightbox({
  scenes,
  copy,
  children,
}: {
  scenes: readonly LargeScene[];
  copy: LightboxCopy;
  children: ReactNode;
}) {
  const [openedOn, setOpenedOn] = useState<number>();
  const opener = useRef<HTMLElement>(null);

  const open = useCallback((index: number, from: HTMLElement) => {
    opener.current = from;
    setOpenedOn(index);
  }, []);
  const closed = useCallback(() => {
    setOpenedOn(undefined);
    opener.current?.focus({ preventScroll: true });
  }, []);

  return (
    <OpenScene value={open}>
      {children}
      {openedOn !== undefined && (
        <LightboxDialog scenes={scenes} start={openedOn} copy={copy} onClosed={closed} />
      )}
    </OpenScene>
  );
}
