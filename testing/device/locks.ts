/** A fake of the Web Locks that the product uses. Pages hold the locks. */
export class FakeLocks<Page> {
  readonly #held: { name: string; by: Page; grant: () => void }[] = [];

  /** A request with `waitMs` fails while another request holds the lock. */
  request(name: string, by: Page, waitMs?: number) {
    if (waitMs !== undefined && this.isHeld(name))
      return { name, granted: Promise.resolve(false), release: () => undefined };
    const { promise: granted, resolve } = Promise.withResolvers<boolean>();
    const held = { name, by, grant: () => resolve(true) };
    this.#held.push(held);
    this.#grant(name);
    return { name, granted, release: () => this.#release(held) };
  }

  isHeld(start: string): boolean {
    return this.#held.some(({ name }) => name.startsWith(start));
  }

  releaseAll(by: Page): void {
    for (const each of this.#held.filter((held) => held.by === by)) this.#release(each);
  }

  #release(held: { name: string; by: Page; grant: () => void }): void {
    const index = this.#held.indexOf(held);
    if (index >= 0) this.#held.splice(index, 1);
    this.#grant(held.name);
  }

  #grant(name: string): void {
    this.#held.find((each) => each.name === name)?.grant();
  }
}
