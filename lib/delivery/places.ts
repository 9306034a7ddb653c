/** Conversations side by side: each carrier has its own places, so that a mail that hangs holds up no text message. */
import { CARRIERS } from "#lib/channels/carriers.ts";
import type { Carrier } from "#lib/storage/tables.ts";

export class Places {
  readonly #taken: Record<Carrier, number> = { sms: 0, mail: 0 };

  free(carrier: Carrier): number {
    return CARRIERS[carrier].places - this.#taken[carrier];
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
