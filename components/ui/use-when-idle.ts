import { useEffect } from "react";

/** The delay in browsers without requestIdleCallback is longer than a page needs to load. */
const LATER_MS = 2_000;

/** Calls `load` again when the network is back. `load` must be the same function at every rendering. */
export function useWhenIdle(load: () => Promise<unknown>): void {
  useEffect(() => {
    const work = () => void load().catch(() => undefined);
    if (typeof requestIdleCallback === "function") requestIdleCallback(work, { timeout: 5_000 });
    else setTimeout(work, LATER_MS);
    addEventListener("online", work);
    return () => removeEventListener("online", work);
  }, [load]);
}
