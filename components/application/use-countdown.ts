"use client";

import { type FocusEvent, type PointerEvent, useEffect, useRef, useState } from "react";

const SECOND_MS = 1_000;

/**
 * Counts the seconds down while nobody is using the panel, then calls `onEnd` once. It begins when the panel
 * is in view.
 *
 * It waits while a pointer moves over the panel, a finger has touched it, something in it that can be
 * pressed has the focus, the caret of a screen reader or a selection is in its text, or the tab is hidden.
 * Two things are no sign of use and do not stop it: the focus on the panel's heading, which the page itself
 * moves there, and a pointer that merely lies where the panel appeared (it pressed the button there a moment
 * ago). A second that was begun is begun again after a pause. `stop` ends the counting for good.
 */
export function useCountdown(totalMs: number, onEnd: () => void) {
  const [leftMs, setLeftMs] = useState(totalMs);
  const [seen, setSeen] = useState(false);
  const [stopped, setStopped] = useState(false);
  const [hovered, setHovered] = useState(false);
  const [touched, setTouched] = useState(false);
  const [focused, setFocused] = useState(false);
  const [reading, setReading] = useState(false);
  const [hidden, setHidden] = useState(false);
  const container = useRef<HTMLDivElement>(null);
  const end = useRef(onEnd);
  end.current = onEnd;

  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    const look = () => setHidden(document.visibilityState === "hidden");
    look();
    document.addEventListener("visibilitychange", look, { signal });
    // Firefox hides a page that is left, and does not say so when Back brings it out of the cache.
    addEventListener("pageshow", look, { signal });
    document.addEventListener(
      "pointerdown",
      ({ target, pointerType }) => {
        const inside = target instanceof Node && container.current?.contains(target) === true;
        if (pointerType !== "mouse" || !inside) setTouched(inside);
      },
      { signal },
    );
    document.addEventListener("selectionchange", () => setReading(isReading(container.current)), {
      signal,
    });
    return () => abort.abort();
  }, []);

  useEffect(() => {
    if (!container.current || typeof IntersectionObserver === "undefined") {
      setSeen(true);
      return;
    }
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(container.current);
    return () => observer.disconnect();
  }, []);

  const paused = !seen || stopped || hovered || touched || focused || reading || hidden;
  useEffect(() => {
    if (paused) return;
    const timer = setTimeout(() => {
      const next = leftMs - SECOND_MS;
      setLeftMs(next);
      if (next <= 0) end.current();
    }, SECOND_MS);
    return () => clearTimeout(timer);
  }, [paused, leftMs]);

  return {
    secondsLeft: Math.ceil(leftMs / SECOND_MS),
    stopped,
    stop: () => setStopped(true),
    watched: {
      ref: container,
      onPointerMove: ({ pointerType, movementX, movementY }: PointerEvent) => {
        if (pointerType === "mouse" && (movementX !== 0 || movementY !== 0)) setHovered(true);
      },
      onPointerLeave: () => setHovered(false),
      onFocus: ({ target }: FocusEvent) => setFocused(target.matches("a, button")),
      onBlur: () => setFocused(false),
    },
  };
}

/** Whether the caret or a selection is in the panel's text, other than on what the page itself gave the focus. */
function isReading(panel: HTMLElement | null): boolean {
  const anchor = getSelection()?.anchorNode;
  if (!panel || !anchor || !panel.contains(anchor)) return false;
  return anchor !== panel && document.activeElement?.contains(anchor) !== true;
}
