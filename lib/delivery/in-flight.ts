/** What this worker is sending: the taken places, the leases to renew, the results that are not stored yet. */

import type { AttemptResult, LeasedDelivery, Transport } from "#lib/application/delivery.ts";
import type { Clock } from "#lib/clock.ts";
import type { AttemptJournal } from "#lib/delivery/attempt-journal.ts";
import { log } from "#lib/log.ts";
import type { DeliveryStore } from "#lib/storage/store.ts";

/**
 * How many messages are sent side by side. Each transport has its own places, so that a mail server that hangs
 * holds up no text message. Mail providers limit the connections.
 */
export const PLACES: Readonly<Record<Transport, number>> = { sms: 8, mail: 4, file: 8 };

/** Deliveries that one message carries; they take one place. */
interface Group {
  leases: readonly LeasedDelivery[];
  place: Transport;
}

interface Unnoted {
  lease: LeasedDelivery;
  result: AttemptResult;
  /** The call that tells the store, while it runs. */
  noting?: Promise<void> | undefined;
}

export type MoveTo = (transport: Transport) => boolean;

export class InFlight {
  readonly #store: Pick<DeliveryStore, "mark" | "renewLeases">;
  readonly #journal: AttemptJournal;
  readonly #now: Clock;
  readonly #groups = new Map<Group, Promise<void>>();
  /** Attempts whose result is not in the store yet; noted before anything else is leased. */
  readonly #unnoted = new Map<number, Unnoted>();

  constructor(
    store: Pick<DeliveryStore, "mark" | "renewLeases">,
    journal: AttemptJournal,
    now: Clock,
  ) {
    this.#store = store;
    this.#journal = journal;
    this.#now = now;
  }

  freePlaces(transport: Transport): number {
    let taken = 0;
    for (const { place } of this.#groups.keys()) if (place === transport) taken += 1;
    return PLACES[transport] - taken;
  }

  /** Attempts a group beside the loop, in a place of its own. Calls `ended` once the store was given the results. */
  begin(
    leases: readonly LeasedDelivery[],
    place: Transport,
    attempt: (moveTo: MoveTo) => Promise<ReadonlyMap<number, AttemptResult>>,
    ended: () => void,
  ): void {
    const group: Group = { leases, place };
    const moveTo: MoveTo = (transport) => {
      if (group.place !== transport && this.freePlaces(transport) <= 0) return false;
      group.place = transport;
      return true;
    };
    const attempted = attempt(moveTo)
      .then((results) => this.#keep(group, results))
      .catch((err: unknown) => {
        // Its leases run out, and it is tried again.
        log.error({ err }, "an attempt ended without a result");
      })
      .then(() => {
        this.#groups.delete(group);
        // At once, not in the loop's next turn: a process killed before a mail is noted sends it again.
        // What the store does not take now, the loop tries again, and says why if that fails too.
        return this.noteAll().catch(() => undefined);
      })
      .then(ended);
    this.#groups.set(group, attempted);
  }

  /** Resolves when every group that is under way now has ended. */
  async allEnded(): Promise<void> {
    await Promise.all(this.#groups.values());
  }

  /** Renews the leases of what is under way or not noted yet. A clock that jumped must not end them. */
  async renewLeases(until: number): Promise<void> {
    const groups = [...this.#groups.keys()].flatMap(({ leases }) => leases);
    const held = [...groups, ...[...this.#unnoted.values()].map(({ lease }) => lease)];
    if (held.length > 0) await this.#store.renewLeases(held, until);
  }

  /** Tells the store how attempts ended. @throws StorageUnavailable */
  async noteAll(): Promise<void> {
    await Promise.all(
      [...this.#unnoted.values()].map((each) => {
        each.noting ??= this.#note(each).finally(() => {
          each.noting = undefined;
        });
        return each.noting;
      }),
    );
  }

  /** The applications whose results the store could not note. */
  unnoted(): string[] {
    return [...this.#unnoted.values()].map(({ lease }) => lease.applicationId);
  }

  #keep({ leases }: Group, results: ReadonlyMap<number, AttemptResult>): void {
    for (const lease of leases) {
      const { deliveryId, fence } = lease;
      const result = results.get(deliveryId);
      if (result === undefined) continue;
      this.#unnoted.set(deliveryId, { lease, result });
      this.#journal.write({ deliveryId, fence, messages: result.messages ?? [] });
    }
  }

  async #note({ lease, result }: Unnoted): Promise<void> {
    const noted = await this.#store.mark(lease, result, this.#now());
    this.#unnoted.delete(lease.deliveryId);
    if (this.#unnoted.size === 0) this.#journal.clear();
    if (!noted) {
      const { applicationId } = lease;
      log.warn({ applicationId }, "another worker has taken this delivery over, its note counts");
    }
  }
}
