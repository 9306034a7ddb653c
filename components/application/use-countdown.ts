"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";

/**
 * Counts the seconds down while nobody is using the panel, then calls `onEnd` once. It begins when the panel
 * is in view.
 *
 * At the end of each second it looks at the page, and counts that second unless a mouse is over the panel, a finger
 * has touched it last, something in it that can be pressed has the focus, the caret of a screen reader or a selection
 * is in its text, or the tab is hidden. Two things are no sign of use: the focus on the panel's heading, which the
 * page itself moves there, and a mouse that lies still where the panel appeared. `stop` ends the counting for good.
 */
export function useCountdown(seconds: number, onEnd: () => void) {
  const [secondsLeft, setSecondsLeft] = useState(seconds);
  const [stopped, setStopped] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  const end = useEffectEvent(onEnd);

  useEffect(() => {
    const element = panel.current;
    if (stopped || !element) return;
    let left = seconds;
    let hasMouseMoved = false;
    let isTouched = false;
    let wasSeen = false;
    const abort = new AbortController();
    const { signal } = abort;
    const onMove = ({ pointerType, movementX, movementY }: PointerEvent) => {
      if (pointerType === "mouse" && (movementX !== 0 || movementY !== 0)) hasMouseMoved = true;
    };
    const onDown = ({ pointerType, target }: PointerEvent) => {
      if (pointerType !== "mouse") isTouched = target instanceof Node && element.contains(target);
    };
    addEventListener("pointermove", onMove, { signal });
    addEventListener("pointerdown", onDown, { signal });
    const timer = setInterval(() => {
      const { top, bottom } = element.getBoundingClientRect();
      wasSeen ||= top < innerHeight && bottom > 0;
      const isPointed = isTouched || (hasMouseMoved && element.matches(":hover"));
      if (!wasSeen || isPointed || isRead(element) || document.hidden) return;
      left -= 1;
      setSecondsLeft(left);
      if (left === 0) end();
    }, 1_000);
    return () => {
      abort.abort();
      clearInterval(timer);
    };
  }, [seconds, stopped]);

  return { panel, secondsLeft, stopped, stop: () => setStopped(true) };
}

/** The focus is on a link or a button, or the caret or a selection in the text, other than on what the page focused. */
function isRead(panel: HTMLElement): boolean {
  if (panel.querySelector("a:focus, button:focus")) return true;
  const anchor = getSelection()?.anchorNode ?? null;
  if (anchor === panel || !panel.contains(anchor)) return false;
  return document.activeElement?.contains(anchor) !== true;
}
