"use client";

import { useEffect, useRef } from "react";

/** The state that an open overlay adds to the browser's history, beside the router's own. */
const isOverlay = (state: unknown) =>
  typeof state === "object" && state !== null && "overlay" in state;

/** While something lies over the page, Back closes it instead of leaving the page. */
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
      // Closed without Back: the history steps back from the overlay's entry.
      if (isOverlay(history.state)) history.back();
    };
  }, [open]);
}
