import { type KeyboardEvent, useCallback, useRef, useState } from "react";
import { ChevronLeftIcon, ChevronRightIcon, XIcon } from "#components/ui/icons.tsx";
import { PageText } from "#components/ui/page-text.tsx";
import { type PhotoAttributes, PhotoImage } from "#components/ui/photo-image.tsx";
import { useCloseOnBack } from "#components/ui/use-close-on-back.ts";
import type { galleryPage } from "#lib/content/gallery-page.ts";
import { fillPlaceholders } from "#lib/content/text-notation.ts";

const ICON_SIZE = "size-6";

export interface LightboxProps {
  scenes: readonly {
    title: string;
    description: string | undefined;
    card: PhotoAttributes;
    large: PhotoAttributes;
  }[];
  start: number;
  texts: typeof galleryPage.lightbox;
  onClosed: () => void;
}

export function Lightbox({ scenes, start, texts, onClosed }: LightboxProps) {
  const [index, setIndex] = useState(start);
  const row = useRef<HTMLUListElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => dialog.current?.close();
  useCloseOnBack(true, close);

  const show = (to: number) =>
    row.current?.children[to]?.scrollIntoView({ behavior: "instant", inline: "start" });
  /** `index` lags a frame behind the scroll position, so a quick second key needs the position itself. */
  const step = (by: number) => {
    if (row.current) show((sceneInView(row.current) + by + scenes.length) % scenes.length);
  };

  /** React sets `row` before it calls `open`, because the row is inside the dialog. */
  const open = useCallback(
    (element: HTMLDialogElement | null) => {
      dialog.current = element;
      if (!element || !row.current || element.open) return;
      element.showModal();
      // Safari would draw a focus ring around the first button even after a tap.
      element.focus();
      // The keyboard can scroll only a row that can have the focus.
      row.current.tabIndex = 0;
      row.current.children[start]?.scrollIntoView({ behavior: "instant", inline: "start" });
    },
    [start],
  );

  const onKeyDown = (event: KeyboardEvent<HTMLDialogElement>) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    step(by);
  };

  return (
    <dialog
      ref={open}
      tabIndex={-1}
      aria-label={scenes[index]?.title}
      onClose={onClosed}
      onKeyDown={onKeyDown}
      className="lightbox on-dark"
    >
      <div className="col-span-2 flex items-center justify-between px-4 py-3 wide:contents">
        <p
          className="font-semibold tabular wide:my-6.5 wide:whitespace-nowrap lg:wide:my-8"
          aria-live="polite"
        >
          <PageText
            text={fillPlaceholders(texts.counter, { n: index + 1, total: scenes.length })}
          />
          <PageText className="sr-only" text={` ${scenes[index]?.title}`} />
        </p>
        <button
          type="button"
          aria-label={texts.close}
          onClick={close}
          className="lightbox-button size-13 wide:col-start-3 wide:my-3 wide:justify-self-end lg:wide:my-5"
        >
          <XIcon className={ICON_SIZE} />
        </button>
      </div>
      <ul
        ref={row}
        onScroll={({ currentTarget }) => setIndex(sceneInView(currentTarget))}
        className="lightbox-row"
      >
        {scenes.map(({ title, description, large }, position) => (
          <li
            key={title}
            ref={(item) => item?.style.setProperty("--ratio", `${large.width / large.height}`)}
            inert={position !== index}
            className="lightbox-scene"
          >
            <div className="lightbox-picture">
              <PhotoImage image={large} eager={position === index} />
            </div>
            <div className="px-5 pt-4 pb-5 wide:min-h-25 wide:px-0 wide:pb-0">
              <h2 className="type-h3">{title}</h2>
              {description && <p className="type-body mt-1 text-asphalt-300">{description}</p>}
            </div>
          </li>
        ))}
      </ul>
      <button
        type="button"
        aria-label={texts.previous.label}
        onClick={() => step(-1)}
        className="lightbox-button lightbox-step ml-5 wide:col-start-1 wide:ml-0 lg:wide:ml-2"
      >
        <ChevronLeftIcon className={ICON_SIZE} />
        <span className="wide:hidden">{texts.previous.short}</span>
      </button>
      <button
        type="button"
        aria-label={texts.next.label}
        onClick={() => step(1)}
        className="lightbox-button lightbox-step mr-5 wide:col-start-3 wide:mr-0 lg:wide:mr-2"
      >
        <span className="wide:hidden">{texts.next.short}</span>
        <ChevronRightIcon className={ICON_SIZE} />
      </button>
    </dialog>
  );
}

const sceneInView = ({ scrollLeft, clientWidth }: HTMLElement) =>
  Math.round(scrollLeft / clientWidth);
