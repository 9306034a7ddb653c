"use client";

import { useEffect, useRef } from "react";

/** Number of history entries above the page's own: one of the overlay, and one for each fragment visited since. */
const depthOf = (state: unknown): number =>
  typeof state === "object" && state !== null && "overlay" in state ? Number(state.overlay) : 0;

const isPage = (state: unknown) =>
  typeof state === "object" && state !== null && "beneath" in state && state.beneath === true;

/**
 * Makes Back close an open overlay instead of leaving the page. A link to a fragment inside it, such as that of a wrong
 * field, adds a history entry and closes nothing.
 */
export function useCloseOnBack(open: boolean, close: () => void): void {
  const closing = useRef(close);
  closing.current = close;

  useEffect(() => {
    if (!open) return;
    // An overlay that was open during a reload has left its entry, which is used again.
    if (depthOf(history.state) === 0) {
      // Stepping back to a fragment would scroll there and move the focus.
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
      // Steps back to the page's own history entry after the overlay was closed without Back.
      if (depthOf(history.state) > 0) history.go(-depthOf(history.state));
    };
  }, [open]);
}
