/** A new random id, 128 bits. `crypto.randomUUID` exists only in secure contexts, unlike plain http. */
export function randomId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
