/**
 * Returns the ref of a container above the content. The text that a visitor reads must not move when the container
 * grows. Most browsers see to that themselves (scroll anchoring); in the others, the page scrolls by the same height.
 * Margins are not part of that height, so none may reach out of the container.
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
