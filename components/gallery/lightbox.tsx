"use client";

import { createContext, type ReactNode, useCallback, useRef, useState } from "react";
import type { LargeScene, LightboxDialog } from "#components/gallery/lightbox-dialog.tsx";
import { useWhenIdle } from "#lib/browser/when-idle.ts";
import type { LightboxCopy } from "#lib/content/gallery.ts";

const loadDialog = () => import("#components/gallery/lightbox-dialog.tsx");

/** Opens the lightbox on a scene; the focus returns to `opener` afterwards. */
export const OpenScene = createContext<(index: number, opener: HTMLAnchorElement) => void>(
  () => {},
);

/**
 * Holds whether the lightbox is open, for the cards within it. Its code is loaded when the browser is idle,
 * at the latest on the press; where it does not come, the press leads to the picture itself.
 */
export function Lightbox({
  scenes,
  copy,
  children,
}: {
  scenes: readonly LargeScene[];
  copy: LightboxCopy;
  children: ReactNode;
}) {
  const [Dialog, setDialog] = useState<typeof LightboxDialog>();
  const [openedOn, setOpenedOn] = useState<number>();
  const opener = useRef<HTMLElement>(null);

  useWhenIdle(loadDialog);

  const open = useCallback((index: number, from: HTMLAnchorElement) => {
    opener.current = from;
    loadDialog().then(
      (loaded) => {
        setDialog(() => loaded.LightboxDialog);
        setOpenedOn(index);
      },
      () => location.assign(from.href),
    );
  }, []);
  const closed = useCallback(() => {
    setOpenedOn(undefined);
    opener.current?.focus({ preventScroll: true });
  }, []);

  return (
    <OpenScene value={open}>
      {children}
      {Dialog && openedOn !== undefined && (
        <Dialog scenes={scenes} start={openedOn} copy={copy} onClosed={closed} />
      )}
    </OpenScene>
  );
}
