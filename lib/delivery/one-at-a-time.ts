import { log } from "#lib/log.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";

/** Work beside the delivery loop, which does not wait for it: never two of a kind at once. */
export class OneAtATime {
  readonly #what: string;
  #underWay: Promise<void> | undefined;

  constructor(what: string) {
    this.#what = what;
  }

  /** Starts the work, unless it is under way. A failure is logged; a store that is out has logged why itself. */
  start(work: () => Promise<void>): void {
    this.#underWay ??= work()
      .catch((err: unknown) => {
        if (!(err instanceof StorageUnavailable)) log.error({ err }, `${this.#what} failed`);
      })
      .finally(() => {
        this.#underWay = undefined;
      });
  }

  async ended(): Promise<void> {
    await this.#underWay;
  }
}
