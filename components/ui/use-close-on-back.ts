import { useEffect, useEffectEvent } from "react";

/** Number of history entries that an open overlay has added: its own, and one for each fragment visited in it. */
const countOverlayEntries = (state: { overlay?: number } | null) => state?.overlay ?? 0;

/**
 * Makes the Back button close an open overlay. A link to a fragment inside the overlay adds a history entry and closes
 * nothing.
 */
export function useCloseOnBack(isOpen: boolean, close: () => void): void {
  const closeOnBack = useEffectEvent(close);

  useEffect(() => {
    if (!isOpen) return;
    // After a reload with an open overlay, the history still has its entry, which is used again.
    if (countOverlayEntries(history.state) === 0) {
      // The address has no fragment, because Back to a fragment would scroll and move the focus.
      const address = location.pathname + location.search;
      history.replaceState({ ...history.state, beneath: true }, "", address);
      history.pushState({ ...history.state, beneath: undefined, overlay: 1 }, "", address);
    }
    let depth = countOverlayEntries(history.state);
    const onPopState = ({ state }: PopStateEvent) => {
      if (state?.beneath) closeOnBack();
      else if (countOverlayEntries(state) > 0) depth = countOverlayEntries(state);
      else {
        depth += 1;
        history.replaceState({ ...history.state, overlay: depth }, "");
      }
    };
    addEventListener("popstate", onPopState);
    return () => {
      removeEventListener("popstate", onPopState);
      // An overlay that is closed without Back steps back over the history entries that it has added.
      if (countOverlayEntries(history.state) > 0) history.go(-countOverlayEntries(history.state));
    };
  }, [isOpen]);
}
