/** A random id of 128 bits. `crypto.randomUUID` is missing on plain http. */
export function randomId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
