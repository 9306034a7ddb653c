"use client";

import { useEffect, useRef } from "react";

/** Number of history entries that an overlay has added: its own, and one for each fragment visited since. */
const depthOf = (state: unknown): number =>
  typeof state === "object" && state !== null && "overlay" in state ? Number(state.overlay) : 0;

const isPage = (state: unknown) =>
  typeof state === "object" && state !== null && "beneath" in state && state.beneath === true;

/**
 * Makes the Back button close an open overlay instead of leaving the page. A link to a fragment inside the overlay adds
 * a history entry and closes nothing.
 */
export function useCloseOnBack(open: boolean, close: () => void): void {
  const closing = useRef(close);
  closing.current = close;

  useEffect(() => {
    if (!open) return;
    // The history entry of an overlay that was open during a reload still exists, and is used again.
    if (depthOf(history.state) === 0) {
      // The entry below has no fragment, because stepping back to one would scroll and move the focus.
      const address = location.pathname + location.search;
      history.replaceState({ ...history.state, beneath: true }, "", address);
      history.pushState({ ...history.state, beneath: undefined, overlay: 1 }, "", address);
    }
    let depth = depthOf(history.state);
    const abort = new AbortController();
    addEventListener(
      "popstate",
      ({ state }) => {
        if (isPage(state)) closing.current();
        else if (depthOf(state) > 0) depth = depthOf(state);
        else {
          depth += 1;
          history.replaceState({ ...history.state, overlay: depth }, "");
        }
      },
      { signal: abort.signal },
    );
    return () => {
      abort.abort();
      // The overlay was closed without Back, so its history entries are still there.
      if (depthOf(history.state) > 0) history.go(-depthOf(history.state));
    };
  }, [open]);
}
