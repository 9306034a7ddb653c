"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";

/**
 * Counts down once the toast or the panel is in view, except while the visitor uses it or the tab is hidden. A touch
 * stops the count, because nobody can see when a finger has done with the box. Three things do not count as use: the
 * focus on the heading, which the page sets itself; a mouse that has not moved since it appeared; a collapsed
 * selection, which Chromium moves into the panel when the form disappears.
 */
export function useAutoClose(seconds: number, onEnd: () => void) {
  const [secondsLeft, setSecondsLeft] = useState(seconds);
  const [isStopped, setStopped] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const end = useEffectEvent(onEnd);

  useEffect(() => {
    const element = box.current;
    if (isStopped || !element) return;
    let left = seconds;
    let hasMouseMoved = false;
    let wasSeen = false;
    const abort = new AbortController();
    const { signal } = abort;
    const onMove = ({ pointerType, movementX, movementY }: PointerEvent) => {
      if (pointerType === "mouse" && (movementX !== 0 || movementY !== 0)) hasMouseMoved = true;
    };
    const onDown = ({ pointerType, target }: PointerEvent) => {
      if (pointerType !== "mouse" && target instanceof Node && element.contains(target))
        setStopped(true);
    };
    addEventListener("pointermove", onMove, { signal });
    addEventListener("pointerdown", onDown, { signal });
    const timer = setInterval(() => {
      const { top, bottom } = element.getBoundingClientRect();
      wasSeen ||= top < innerHeight && bottom > 0;
      const isPointed = hasMouseMoved && element.matches(":hover");
      if (!wasSeen || isPointed || isInUse(element) || document.hidden) return;
      left -= 1;
      setSecondsLeft(left);
      if (left === 0) end();
    }, 1_000);
    return () => {
      abort.abort();
      clearInterval(timer);
    };
  }, [seconds, isStopped]);

  return { box, secondsLeft, isStopped, stop: () => setStopped(true) };
}

function isInUse(box: HTMLElement): boolean {
  if (box.querySelector("a:focus, button:focus, summary:focus")) return true;
  const selection = getSelection();
  return selection?.isCollapsed === false && box.contains(selection.anchorNode);
}
