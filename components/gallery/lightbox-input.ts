import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import type { PhotoAttributes } from "#components/ui/photo-attributes.ts";

/** How far a finger must go, in CSS pixels. */
const SWIPE_DISTANCE = 48;

/** Handlers that turn a horizontal swipe into a step: to the left is 1, to the right is -1. */
export function useSwipe(step: (by: number) => void) {
  const from = useRef<{ x: number; y: number }>(undefined);
  return {
    onPointerDown(event: PointerEvent) {
      // A second finger pinches; on a page that is zoomed in, one finger moves the view.
      const zoomed = (window.visualViewport?.scale ?? 1) > 1.01;
      const swipes = event.pointerType !== "mouse" && event.isPrimary && !zoomed;
      from.current = swipes ? { x: event.clientX, y: event.clientY } : undefined;
    },
    onPointerUp(event: PointerEvent) {
      if (!from.current || !event.isPrimary) return;
      const x = event.clientX - from.current.x;
      const y = event.clientY - from.current.y;
      from.current = undefined;
      if (Math.abs(x) > SWIPE_DISTANCE && Math.abs(x) > 1.5 * Math.abs(y)) step(x < 0 ? 1 : -1);
    },
    onPointerCancel() {
      from.current = undefined;
    },
  };
}

/** Keeps Tab within the dialog, which has the focus itself at first: after its last button comes its first. */
export function wrapFocus(event: KeyboardEvent<HTMLElement>) {
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const edges = event.shiftKey ? [event.currentTarget, buttons[0]] : [buttons.at(-1)];
  if (!edges.some((edge) => edge === document.activeElement)) return;
  event.preventDefault();
  (event.shiftKey ? buttons.at(-1) : buttons[0])?.focus();
}

/** Fetches a picture before it is shown, in the width that it will be shown in. */
export function preloadPhoto({ src, srcSet, sizes }: PhotoAttributes) {
  const image = new Image();
  if (sizes) image.sizes = sizes;
  if (srcSet) image.srcset = srcSet;
  image.src = src;
}
