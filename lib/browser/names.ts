/** This tab, known again after a reload: the browser forgets it with the tab. */
const NAME = "tab";
let known: string | undefined;

export function thisTab(): string {
  known ??= stored();
  return known;
}

/** A new random name, 128 bits. `crypto.randomUUID` exists only in secure contexts, unlike plain http. */
export function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

function stored(): string {
  const fresh = newKey();
  try {
    const before = sessionStorage.getItem(NAME);
    if (before === null) sessionStorage.setItem(NAME, fresh);
    return before ?? fresh;
  } catch {
    // Blocked, or in the service worker: it is known until the page is left.
    return fresh;
  }
}
