/** This tab, known again after a reload: the browser forgets it with the tab. */
const NAME = "tab";
let known: string | undefined;

export function thisTab(): string {
  known ??= stored();
  return known;
}

/** A new random name (UUID, version 4). `crypto.randomUUID` exists only in secure contexts, unlike plain http. */
export function newKey(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
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
