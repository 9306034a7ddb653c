/**
 * The ref of a place above the content: what comes into it must not move the text under a reader who has scrolled.
 * Most browsers see to that themselves (scroll anchoring); where it is missing, the page scrolls along.
 * The place's height is measured, so no margin must reach out of it. A place that is taken out is no longer watched:
 * what takes its position scrolls for itself.
 */
export function steadyScroll(place: HTMLElement | null): (() => void) | undefined {
  if (!place || CSS.supports("overflow-anchor", "auto")) return undefined;
  let height = place.offsetHeight;
  const observer = new ResizeObserver(() => {
    const grown = place.offsetHeight - height;
    height += grown;
    if (place.getBoundingClientRect().top < 0) scrollBy(0, grown);
  });
  observer.observe(place);
  return () => observer.disconnect();
}
