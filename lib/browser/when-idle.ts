"use client";

import { useEffect } from "react";

/** Loads code once the page has nothing better to do; whoever needs it sooner loads it then. `load` must stay the same function. */
export function useWhenIdle(load: () => Promise<unknown>): void {
  useEffect(
    () =>
      whenIdle(() => {
        load().catch(() => {
          // Asked for again by whoever needs it.
        });
      }),
    [load],
  );
}

/** Returns how to call it off. */
function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === "function") {
    const handle = requestIdleCallback(work, { timeout: 5_000 });
    return () => cancelIdleCallback(handle);
  }
  // Safari has no idle callback; a moment after the load does as well.
  const timer = setTimeout(work, 2_000);
  return () => clearTimeout(timer);
}
