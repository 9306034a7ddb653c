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
    // What was open when the page was reloaded has left its entry, which serves again.
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
      // Closed otherwise: the step that Back would have undone is taken back.
      if (isOverlay(history.state)) history.back();
    };
  }, [open]);
}
