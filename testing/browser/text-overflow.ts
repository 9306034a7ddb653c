/** Finds texts that overflow their container sideways. The function runs in the browser, so it can import nothing. */
export function findTextOverflow(): string[] {
  const hasSurface = (element: Element) => {
    const { backgroundColor, borderLeftWidth, overflowX } = getComputedStyle(element);
    const isPainted = !/, 0\)$|transparent/.test(backgroundColor) || borderLeftWidth !== "0px";
    return isPainted || overflowX === "clip" || overflowX === "hidden";
  };
  const isVisible = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    if (element.closest("[inert]")) return false;
    return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true });
  };
  const found: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (texts.nextNode()) {
    const parent = texts.currentNode.parentElement;
    if (!texts.currentNode.nodeValue?.trim() || !parent || !isVisible(parent)) continue;
    let card: Element = parent;
    while (card.parentElement && !hasSurface(card)) card = card.parentElement;
    const edge = card.getBoundingClientRect();
    range.selectNodeContents(texts.currentNode);
    const isOff = [...range.getClientRects()].some(
      ({ left, right }) => left < edge.left - 1 || right > edge.right + 1,
    );
    if (isOff) found.push(texts.currentNode.nodeValue.trim());
  }
  return found;
}
