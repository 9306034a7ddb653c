/** One process of the server, which a history can stop at a crash point. A later action may resume the process. */
import type { Store } from "#lib/storage/store.ts";
import type { CRASH_POINTS } from "#testing/delivery/actions.ts";

type CrashPoint = (typeof CRASH_POINTS)[number];
type Operation = (...terms: unknown[]) => unknown;

export class SimulatedProcess {
  /** The moment in the sending of its next message at which the process stops; undefined: it does not stop. */
  crashPoint: CrashPoint | undefined;
  /** True from the stop on, even if the process is resumed. */
  wasStopped = false;
  readonly #resumed = Promise.withResolvers<void>();

  /** Stops the process if its crash point is `point`, then waits while it is stopped. True if it was ever stopped. */
  async stopAndWaitAt(point: CrashPoint): Promise<boolean> {
    if (this.crashPoint === point && !this.wasStopped) this.wasStopped = true;
    return this.waitWhileStopped();
  }

  /** Waits while the process is stopped. True if the process was ever stopped. */
  async waitWhileStopped(): Promise<boolean> {
    if (this.wasStopped) await this.#resumed.promise;
    return this.wasStopped;
  }

  resume(): void {
    this.#resumed.resolve();
  }

  /** The store as this process sees it: a stopped process neither reads nor writes. */
  view(store: Store): Store {
    const waiting =
      (operation: Operation) =>
      async (...terms: unknown[]) => {
        await this.waitWhileStopped();
        return operation(...terms);
      };
    const entries = Object.entries({ ...store, now: undefined }).flatMap(([name, operation]) =>
      operation === undefined ? [] : [[name, waiting(operation as Operation)]],
    );
    return { ...store, ...Object.fromEntries(entries) };
  }
}
