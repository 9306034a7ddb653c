"use client";

import { type MouseEvent, useState } from "react";
import { Lightbox, type LightboxProps } from "#components/gallery/lightbox.tsx";
import { EnlargeIcon } from "#components/ui/icons.tsx";
import { PhotoImage } from "#components/ui/photo-image.tsx";

/** A click with a modifier key or without JavaScript opens the picture itself. */
export function SceneCards({ scenes, texts }: Pick<LightboxProps, "scenes" | "texts">) {
  const [opened, setOpened] = useState<{ index: number; opener: HTMLElement }>();
  const onClosed = () => {
    setOpened(undefined);
    // Safari does not focus a clicked link, so a closed dialog would not return the focus to the link.
    opened?.opener.focus({ preventScroll: true });
  };
  return (
    <>
      <ul className="scene-cards">
        {scenes.map((scene, index) => (
          <li key={scene.title}>
            <a
              href={scene.large.src}
              aria-haspopup="dialog"
              onClick={(event: MouseEvent<HTMLAnchorElement>) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
                event.preventDefault();
                setOpened({ index, opener: event.currentTarget });
              }}
              className="group flex h-full flex-col rounded-l text-asphalt-900"
            >
              <span className="photo aspect-4/3 rounded-l">
                <PhotoImage image={scene.card} eager={index === 0}>
                  <span className="absolute right-3 bottom-3 grid size-9 place-items-center rounded-m bg-asphalt-900 text-white colour-fade group-hover:text-lane-500">
                    <EnlargeIcon />
                  </span>
                </PhotoImage>
              </span>
              <h2 className="mt-4 font-bold text-[1.1875rem] leading-[1.36] tracking-title decoration-2 underline-offset-4 group-hover:underline">
                {scene.title}
              </h2>
              {scene.description && (
                <p className="type-small mt-1 text-asphalt-600">{scene.description}</p>
              )}
            </a>
          </li>
        ))}
      </ul>
      {opened && <Lightbox {...{ scenes, texts, onClosed }} start={opened.index} />}
    </>
  );
}
