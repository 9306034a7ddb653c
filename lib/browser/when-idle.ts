"use client";

import { useEffect } from "react";

/** Loads code when the browser is idle; whoever needs it sooner calls `load` too. It must stay the same function. */
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

/** Returns a function that cancels it. */
function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === "function") {
    const handle = requestIdleCallback(work, { timeout: 5_000 });
    return () => cancelIdleCallback(handle);
  }
  // Safari has no idle callback: two seconds later instead.
  const timer = setTimeout(work, 2_000);
  return () => clearTimeout(timer);
}
