/**
 * Scrolls as far as a container above the content grows, for browsers without scroll anchoring: the text that a visitor
 * reads must not move. Margins must not reach out of the container, because its height does not contain them.
 */
export function keepScrollSteady(container: HTMLElement | null): (() => void) | undefined {
  if (!container || CSS.supports("overflow-anchor", "auto")) return undefined;
  let height = container.offsetHeight;
  const observer = new ResizeObserver(() => {
    const growth = container.offsetHeight - height;
    height += growth;
    if (container.getBoundingClientRect().top < 0) scrollBy(0, growth);
  });
  observer.observe(container);
  return () => observer.disconnect();
}
