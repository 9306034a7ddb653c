import { useEffect } from "react";

/** The delay in browsers without requestIdleCallback is longer than most pages need to load. */
const FALLBACK_DELAY_MS = 2_000;

/** Calls `load` in an idle moment, and whenever the network is back. Every rendering must pass the same `load`. */
export function useWhenIdle(load: () => Promise<unknown>): void {
  useEffect(() => {
    const work = () => void load().catch(() => undefined);
    if (typeof requestIdleCallback === "function") requestIdleCallback(work, { timeout: 5_000 });
    else setTimeout(work, FALLBACK_DELAY_MS);
    addEventListener("online", work);
    return () => removeEventListener("online", work);
  }, [load]);
}
