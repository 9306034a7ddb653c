/** How long after a reload the first notice may take. */
const RESTORING_MS = 5_000;

/** The page has been reloaded, and stands where the visitor had it: with the notices that it had then. */
let restored: boolean | undefined;

/**
 * The ref of a place above the content: what comes into it must not move the text under a reader who has scrolled.
 * Most browsers see to that themselves (scroll anchoring); where it is missing, the page scrolls along. What comes
 * back after a reload is no news: the page stays where the browser has put it.
 * The place's height is measured, so no margin must reach out of it. A place that is taken out is no longer watched:
 * what takes its position scrolls for itself.
 */
export function steadyScroll(place: HTMLElement | null): (() => void) | undefined {
  if (!place) return undefined;
  const isAnchored = CSS.supports("overflow-anchor", "auto");
  restored ??= wasReloaded();
  if (isAnchored && !restored) return undefined;
  if (restored) setAnchoring("none");
  let height = place.offsetHeight;
  const observer = new ResizeObserver(() => {
    const grown = place.offsetHeight - height;
    height += grown;
    if (grown === 0) return;
    if (restored) requestAnimationFrame(endRestoring);
    else if (!isAnchored && scrollY > 0) scrollBy({ top: grown, behavior: "instant" });
  });
  observer.observe(place);
  const timer = setTimeout(endRestoring, RESTORING_MS);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
  };
}

function endRestoring(): void {
  restored = false;
  setAnchoring("");
}

function setAnchoring(value: string): void {
  document.documentElement.style.setProperty("overflow-anchor", value);
}

function wasReloaded(): boolean {
  const [entry] = performance.getEntriesByType("navigation");
  return entry instanceof PerformanceNavigationTiming && entry.type !== "navigate";
}
