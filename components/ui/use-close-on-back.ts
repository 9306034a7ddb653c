"use client";

import { useEffect, useRef } from "react";

/** True for the history state that an open overlay adds to the router's own. */
const isOverlay = (state: unknown) =>
  typeof state === "object" && state !== null && "overlay" in state;

/** Makes Back close an open overlay instead of leaving the page. */
export function useCloseOnBack(open: boolean, close: () => void): void {
  const closing = useRef(close);
  closing.current = close;

  useEffect(() => {
    if (!open) return;
    // An overlay that was open during a reload has left its entry, which is used again.
    if (!isOverlay(history.state)) history.pushState({ ...history.state, overlay: true }, "");
    const abort = new AbortController();
    addEventListener(
      "popstate",
      ({ state }) => {
        if (!isOverlay(state)) closing.current();
      },
      { signal: abort.signal },
    );
    return () => {
      abort.abort();
      // The overlay was closed without Back: the history steps back from its entry.
      if (isOverlay(history.state)) history.back();
    };
  }, [open]);
}
