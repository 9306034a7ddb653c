/** How long after a reload the notices of before may take to come back. */
const RESTORING_MS = 5_000;

/**
 * The ref of a place above the content: what comes into it must not move the text under a reader who has scrolled.
 * Most browsers see to that themselves (scroll anchoring); where it is missing, the page scrolls along. What comes
 * back after a reload is no news: the browser has put the page where it stood with the notices in it, and what it
 * scrolls for them is taken back.
 * The place's height is measured, so no margin must reach out of it. A place that is taken out is no longer watched:
 * what takes its position scrolls for itself.
 */
export function steadyScroll(place: HTMLElement | null): (() => void) | undefined {
  if (!place) return undefined;
  const isAnchored = CSS.supports("overflow-anchor", "auto");
  let height = place.offsetHeight;
  const observer = new ResizeObserver(() => {
    const grown = place.offsetHeight - height;
    height += grown;
    if (isAnchored === isRestoring() && place.getBoundingClientRect().top < 0)
      scrollBy(0, isAnchored ? -grown : grown);
  });
  observer.observe(place);
  return () => observer.disconnect();
}

function isRestoring(): boolean {
  const [entry] = performance.getEntriesByType("navigation");
  return (
    performance.now() < RESTORING_MS && !!entry && "type" in entry && entry.type !== "navigate"
  );
}
