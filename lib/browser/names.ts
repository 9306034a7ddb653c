const NAME = "tab";
let tab: string | undefined;

/** This tab, known again after a reload: the browser forgets it with the tab. */
export function thisTab(): string {
  if (tab !== undefined) return tab;
  tab = newKey();
  try {
    tab = sessionStorage.getItem(NAME) ?? tab;
    sessionStorage.setItem(NAME, tab);
  } catch {
    // Blocked, or in the service worker: it is known until the page is left.
  }
  return tab;
}

/** A new random name, 128 bits. `crypto.randomUUID` exists only in secure contexts, unlike plain http. */
export function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
