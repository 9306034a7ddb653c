/** Turns with sleeps between them, until it is stopped. What a turn throws does not end it. */
import { setTimeout as sleep } from "node:timers/promises";
import { log } from "#lib/log.ts";
import type { WorkerStatus } from "#lib/process-globals.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";

const STORAGE_PAUSE_MS = 5_000;
const RESTART_PAUSE_MS = 2_000;

/** Waits for a time, or until the signal aborts. Tests pass one that takes no real time. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

export const pauseFor: Pause = async (ms, signal) => {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
};

export class SupervisedLoop {
  readonly #turn: () => Promise<number>;
  readonly #pause: Pause;
  readonly #sleeper: Wakeable;
  readonly #stopping = new AbortController();
  #state: WorkerStatus["state"] = "stopped";
  #ended: Promise<void> | undefined;

  /** `turn` returns for how long to sleep, in ms. */
  constructor(turn: () => Promise<number>, pause: Pause) {
    this.#turn = turn;
    this.#pause = pause;
    this.#sleeper = new Wakeable(pause);
  }

  get state(): WorkerStatus["state"] {
    return this.#state;
  }

  /** Aborted by stop(). */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  start(): void {
    this.#ended ??= this.#supervise();
  }

  wake(): void {
    this.#sleeper.wake();
  }

  /** No new turn. Resolves when the one under way has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
    this.#state = "stopped";
  }

  /** What a turn throws is logged, and the loop starts anew after a pause. */
  async #supervise(): Promise<void> {
    while (!this.stopping.aborted) {
      try {
        this.#state = "running";
        await this.#run();
      } catch (error) {
        await this.#recover(error);
      }
    }
  }

  async #run(): Promise<void> {
    while (!this.stopping.aborted) {
      const sleepMs = await this.#turn();
      await this.#sleeper.sleep(sleepMs, this.stopping);
    }
  }

  async #recover(err: unknown): Promise<void> {
    if (err instanceof StorageUnavailable) {
      // The store itself has logged why. Deliveries wait for it; nobody has to restart anything.
      await this.#pause(STORAGE_PAUSE_MS, this.stopping);
    } else {
      this.#state = "restarting";
      log.error({ err }, "the delivery worker failed and starts again");
      await this.#pause(RESTART_PAUSE_MS, this.stopping);
    }
  }
}

/** A sleep that can be ended. A wake that comes between two sleeps ends the next one, so that none is lost. */
class Wakeable {
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
