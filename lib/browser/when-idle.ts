"use client";

import { useEffect } from "react";

/** Where there is no idle callback: later than the page is there. */
const LATER_MS = 2_000;

/** Loads code when the browser is idle; whoever needs it sooner calls `load` too. It must stay the same function. */
export function useWhenIdle(load: () => Promise<unknown>): void {
  useEffect(() => {
    // What does not come is asked for again by whoever needs it.
    const work = () => void load().catch(() => undefined);
    if (typeof requestIdleCallback === "function") {
      const handle = requestIdleCallback(work, { timeout: 5_000 });
      return () => cancelIdleCallback(handle);
    }
    const timer = setTimeout(work, LATER_MS);
    return () => clearTimeout(timer);
  }, [load]);
}
