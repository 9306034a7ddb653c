/** Runs work once the page has nothing better to do; returns how to call it off. */
export function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === "function") {
    const handle = requestIdleCallback(work, { timeout: 5_000 });
    return () => cancelIdleCallback(handle);
  }
  // Safari has no idle callback; a moment after the load does as well.
  const timer = setTimeout(work, 2_000);
  return () => clearTimeout(timer);
}
