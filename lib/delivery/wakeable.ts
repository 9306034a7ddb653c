import { setTimeout as sleep } from "node:timers/promises";

/** Waits for a time, or until the signal aborts. Tests pass one that takes no real time. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

export const pauseFor: Pause = async (ms, signal) => {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
};

/** A sleep that can be woken; a wake while awake counts for the next sleep, so that none is lost. */
export class Wakeable {
  readonly #pause: Pause;
  #woken = new AbortController();

  constructor(pause: Pause) {
    this.#pause = pause;
  }

  wake(): void {
    this.#woken.abort();
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    await this.#pause(ms, AbortSignal.any([this.#woken.signal, signal]));
    this.#woken = new AbortController();
  }
}
