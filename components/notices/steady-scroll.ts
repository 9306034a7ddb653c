/**
 * Scrolls as far as a container above the content grows, for browsers without scroll anchoring: the text that a visitor
 * reads must not move. Margins must not reach out of the container, because its height does not contain them.
 */
export function keepScrollSteady(place: HTMLElement | null): (() => void) | undefined {
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
