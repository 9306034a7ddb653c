/**
 * Returns the ref of a container above the content: what is added to it must not move the text that is being read.
 * Most browsers do this themselves (scroll anchoring); elsewhere the page scrolls by the change of the container's
 * height. So no margin may reach out of the container.
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
