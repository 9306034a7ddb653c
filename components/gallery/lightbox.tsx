"use client";

import { createContext, type ReactNode, useCallback, useState } from "react";
import { type LargeScene, LightboxDialog } from "#components/gallery/lightbox-dialog.tsx";
import type { LightboxCopy } from "#lib/content/gallery.ts";

/** Opens the lightbox on a scene; the focus returns to `opener` afterwards. */
export const OpenScene = createContext<(index: number, opener: HTMLAnchorElement) => void>(
  () => {},
);

interface LightboxProps {
  scenes: readonly LargeScene[];
  copy: LightboxCopy;
  children: ReactNode;
}

/** Holds whether the lightbox is open, for the cards within it. */
export function Lightbox({ scenes, copy, children }: LightboxProps) {
  const [opened, setOpened] = useState<{ index: number; opener: HTMLElement }>();
  const open = useCallback(
    (index: number, opener: HTMLAnchorElement) => setOpened({ index, opener }),
    [],
  );
  const onClosed = () => {
    setOpened(undefined);
    // Safari does not focus a link that is clicked, so the browser does not return there by itself.
    opened?.opener.focus({ preventScroll: true });
  };
  return (
    <OpenScene value={open}>
      {children}
      {opened && <LightboxDialog {...{ scenes, copy, onClosed }} start={opened.index} />}
    </OpenScene>
  );
}
