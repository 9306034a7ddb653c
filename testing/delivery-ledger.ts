/** What the engine was answered, message by message: with it a test says by itself what works. */
import type { SendEnd } from "#lib/channels/carrier.ts";
import type { Carrier } from "#lib/storage/tables.ts";

interface Entry {
  carrier: Carrier;
  recipient: string;
  applicationId: string;
  begunAt: number;
  /** The last answer; undefined while the process that waited for it has died. */
  end?: SendEnd;
  /** A provider has had it. */
  taken: boolean;
}

export class Ledger {
  readonly #entries: Entry[] = [];

  begin(begun: Omit<Entry, "taken">): Entry {
    const entry = { ...begun, taken: false };
    this.#entries.push(entry);
    return entry;
  }

  answer(entry: Entry, end: SendEnd, now: number): void {
    entry.end = end;
    if (end.outcome !== "accepted" && end.outcome !== "delivered") return;
    entry.taken = true;
    this.takenAt = now;
    if (entry.carrier === "mail") this.mailedAt = now;
  }

  /** A provider was asked about this message. */
  answered(which: (entry: Entry) => boolean, end: SendEnd, now: number): void {
    const entry = this.#entries.findLast(which);
    if (entry) this.answer(entry, end, now);
  }

  /** Since when a carrier has met nothing but faults of its own, and whether the last was a refusal. */
  failing(carrier: Carrier): { since: number; refused: boolean } | undefined {
    const own = this.#entries.filter((entry) => entry.carrier === carrier);
    const after = own.slice(own.findLastIndex(({ taken }) => taken) + 1);
    const faults = after.filter(({ end }) => end?.fault?.about === "channel");
    const [first, last] = [faults[0], faults.at(-1)];
    return first && { since: first.begunAt, refused: last?.end?.outcome === "refused" };
  }

  /** Whether the last that is known of a recipient is that it was refused; undefined where a later one is not known. */
  refuses(carrier: Carrier, recipient: string): boolean | undefined {
    const own = this.#entries.filter(
      (entry) => entry.carrier === carrier && entry.recipient === recipient,
    );
    const at = own.findLastIndex(({ end }) => end?.fault?.about === "recipient");
    if (at < 0) return false;
    return own.slice(at + 1).some(({ taken }) => taken) ? undefined : true;
  }

  /** Whether a provider has a message that may be called delivered, or lost, without an answer. */
  get hasUnsettled(): boolean {
    return this.#entries.some(({ end }) => end?.outcome === "accepted");
  }

  /** When a message was answered last that a provider took; when a mail was. */
  takenAt = 0;
  mailedAt = 0;
}
