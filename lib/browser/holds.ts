/**
 * Which records a form is changing: nobody sends those. Each is a Web Lock, which the browser lets go with the page,
 * also when it crashes. Where there are none, the last valid version is sent, and what follows corrects it.
 */
const PREFIX = "changed/";

/** Returns how to let go. */
export function hold(id: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  void locked(() => navigator.locks.request(PREFIX + id, { mode: "shared" }, () => promise));
  return resolve;
}

export async function isHeld(id: string): Promise<boolean> {
  const { held = [], pending = [] } = (await locked(() => navigator.locks.query())) ?? {};
  return [...held, ...pending].some(({ name }) => name === PREFIX + id);
}

/** Undefined where locks are missing or forbidden. */
async function locked<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}
