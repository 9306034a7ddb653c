/** A notice above the content is about to go: the focus moves on to what follows it, not out of the page. */
export function focusContent(): void {
  document.getElementById("content")?.focus({ preventScroll: true });
}
