import { type KeyboardEvent, useEffect, useRef, useState } from "react";
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

/** The scenes in full screen, side by side in a row that a finger scrolls. Mounted while it is open. */
export function LightboxDialog({ scenes, start, copy, onClosed }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const row = useRef<HTMLUListElement>(null);
  const [index, setIndex] = useState(start);
  const total = scenes.length;
  const close = () => dialog.current?.close();
  useCloseOnBack(true, close);

  function show(to: number) {
    row.current?.children[to]?.scrollIntoView({ behavior: "instant", inline: "start" });
    setIndex(to);
  }
  const step = (by: number) => show((index + by + total) % total);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is mounted.
  useEffect(() => {
    if (dialog.current?.open) return;
    dialog.current?.showModal();
    // Safari would draw the ring of the focus around the first button, also after a tap.
    dialog.current?.focus();
    show(start);
  }, []);

  const onKeyDown = (event: KeyboardEvent<HTMLDialogElement>) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    step(by);
  };

  return (
    <dialog
      ref={dialog}
      tabIndex={-1}
      aria-label={scenes[index]?.title}
      onClose={onClosed}
      onKeyDown={onKeyDown}
      className="lightbox on-dark"
    >
      <div className="lightbox-bar">
        <p className="font-semibold tabular" aria-live="polite">
          {fill(copy.counter, { n: index + 1, total })}
          <span className="sr-only"> {scenes[index]?.title}</span>
        </p>
        <button
          type="button"
          aria-label={copy.close}
          onClick={close}
          className="lightbox-button size-13"
        >
          <XIcon className={ICON} />
        </button>
      </div>
      <ul
        ref={row}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by the keyboard too.
        tabIndex={0}
        onScroll={({ currentTarget: { scrollLeft, clientWidth } }) =>
          setIndex(Math.round(scrollLeft / clientWidth))
        }
        className="lightbox-row"
      >
        {scenes.map((scene, each) => (
          <Scene key={scene.title} scene={scene} shown={each === index} />
        ))}
      </ul>
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

/** The picture, as large as fits beside its caption. */
function Scene({ scene, shown }: { scene: LargeScene; shown: boolean }) {
  const { title, description, image } = scene;
  return (
    <li
      ref={(item) => item?.style.setProperty("--ratio", `${image.width / image.height}`)}
      inert={!shown}
      className="lightbox-scene"
    >
      <div className="lightbox-picture">
        <div className="lightbox-frame">
          <PhotoImage image={image} fit="contain" eager={shown} />
        </div>
      </div>
      <div className="lightbox-caption">
        <h2 className="type-h3">{title}</h2>
        {description && <p className="mt-1 text-asphalt-300 type-body">{description}</p>}
      </div>
    </li>
  );
}
