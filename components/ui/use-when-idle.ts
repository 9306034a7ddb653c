import { useEffect } from "react";

/** The delay in browsers without requestIdleCallback is longer than most pages need to load. */
const LATER_MS = 2_000;

/** Calls `load` when the browser is idle, and whenever the network is back. Each rendering must pass one `load`. */
export function useWhenIdle(load: () => Promise<unknown>): void {
  useEffect(() => {
    const work = () => void load().catch(() => undefined);
    if (typeof requestIdleCallback === "function") requestIdleCallback(work, { timeout: 5_000 });
    else setTimeout(work, LATER_MS);
    addEventListener("online", work);
    return () => removeEventListener("online", work);
  }, [load]);
}
