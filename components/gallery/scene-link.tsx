"use client";

import { type MouseEvent, type ReactNode, useContext } from "react";
import { OpenScene } from "#components/gallery/lightbox.tsx";

/** A card's link: opens the lightbox; with a modifier key, or without this script, the picture itself. */
export function SceneLink({
  index,
  href,
  children,
}: {
  index: number;
  href: string | undefined;
  children: ReactNode;
}) {
  const open = useContext(OpenScene);
  const onClick = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open(index, event.currentTarget);
  };
  return (
    <a
      href={href}
      aria-haspopup="dialog"
      onClick={onClick}
      className="group flex h-full flex-col rounded-l "
    >
      {children}
    </a>
  );
}
