/** Conversations side by side: each carrier has its own places, so that a mail that hangs holds up no text message. */
import type { Carrier } from "#lib/storage/tables.ts";

const PLACES: Readonly<Record<Carrier, number>> = { sms: 2, mail: 2 };

export class Places {
  readonly #taken: Record<Carrier, number> = { sms: 0, mail: 0 };

  free(carrier: Carrier): number {
    return PLACES[carrier] - this.#taken[carrier];
  }

  /** False when there is none. */
  take(carrier: Carrier): boolean {
    if (this.free(carrier) <= 0) return false;
    this.#taken[carrier] += 1;
    return true;
  }

  giveBack(carrier: Carrier): void {
    this.#taken[carrier] -= 1;
  }
}
