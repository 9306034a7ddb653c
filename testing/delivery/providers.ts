/** A Twilio and a mail server in memory, whose weather a test makes: they answer late, twice, wrongly or not at all. */
import type {
  MessageCarrier,
  OwnerMessage,
  SendEnd,
  SendTerms,
  Sought,
} from "#lib/channels/carrier.ts";
import type { Carriers } from "#lib/channels/carriers.ts";
import type { Carrier } from "#lib/storage/tables.ts";
import { complaint, objection } from "#testing/delivery/invariants.ts";
import {
  applicationsIn,
  type DEATHS,
  isLong,
  LOTS,
  type Lot,
} from "#testing/delivery/provider-behaviour.ts";
import { type Entry, Ledger } from "#testing/delivery/send-log.ts";

const MINUTE = 60_000;
const WORKS: Record<Carrier, Lot> = { sms: LOTS.sms.works, mail: LOTS.mail.works };

const faultOf = (about: Lot["about"]) => about && { error: "weather", advice: "날씨", about };

export class DeliveryWorld {
  readonly ledger = new Ledger();
  /** The first thing that must not happen. */
  wrong: string | undefined;
  /** Runs with the time that passes, whatever the wall clock says. */
  steady = 0;
  /** The next message kills the process. */
  death: (typeof DEATHS)[number] | undefined;
  /** Resolves when the process has died. */
  died: Promise<void> = new Promise(() => undefined);
  /** The sends of dead processes: each can still come back. */
  stalled: ((ends: SendEnd[]) => void)[] = [];
  #dies: () => void = () => undefined;

  /** From now on a message can kill the process. */
  die(death: (typeof DEATHS)[number]): void {
    this.death = death;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.died = promise;
    this.#dies = resolve;
  }

  get now(): number {
    return this.ledger.now;
  }

  pass(ms: number): void {
    this.ledger.now += ms;
    this.steady += ms;
  }

  /** The carriers of these numbers and addresses. */
  carriers(recipients: Ledger["recipients"]): Carriers {
    this.ledger.recipients = recipients;
    const { sms, mail } = recipients;
    return {
      file: { write: async () => undefined },
      ...(sms.length > 0 && { sms: this.#sms(sms) }),
      ...(mail.length > 0 && { mail: this.#carrier("mail", mail) }),
    };
  }

  #sms(recipients: readonly string[]): MessageCarrier {
    return {
      ...this.#carrier("sms", recipients),
      tryLimitMs: MINUTE,
      segments: (message) => (isLong(message) ? 4 : 2),
      shortens: isLong,
      tracking: {
        find: async (sought) => this.#find(sought),
        follow: async (id) => this.#follow(id),
      },
    };
  }

  #carrier(carrier: Carrier, recipients: readonly string[]): MessageCarrier {
    return {
      recipients,
      tryLimitMs: 30 * MINUTE,
      segments: () => 0,
      shortens: () => false,
      send: (message, to, terms) => this.#send(carrier, message, to, terms),
    };
  }

  async #send(
    carrier: Carrier,
    message: OwnerMessage,
    recipients: readonly string[],
    { mayLeave = async () => true }: SendTerms,
  ): Promise<SendEnd[]> {
    const { death, ledger } = this;
    if (death === "before the note") return this.#stall();
    // As the engine notes it: another message may hang before this one leaves.
    const begunAt = this.now;
    const isEarly = recipients.every((recipient) => this.#lotOf(carrier, recipient).early);
    if (!isEarly && !(await mayLeave())) return recipients.map(() => ({ outcome: "unsent" }));
    const { sms, mail } = ledger.weather;
    const entries = recipients.map((recipient): Entry => {
      const entry = {
        ...{ carrier, recipient, kind: message.kind, begunAt },
        about: message.kind === "alarm" ? message.about : "",
        applications: applicationsIn(message),
        segments: carrier === "mail" ? 0 : isLong(message) ? 4 : 2,
        isOutage: sms === "no network" && mail === "no network",
      };
      this.wrong ??= objection(message, entry, ledger);
      return entry;
    });
    ledger.entries.push(...entries);
    if (death === "after the note" && !isEarly) return this.#stall();
    const ends = entries.map((entry) => this.#end(entry));
    if (death === "after the send" && !isEarly) return this.#stall();
    for (const [index, end] of ends.entries()) {
      const entry = entries[index];
      if (entry) ledger.answer(entry, end);
    }
    return ends;
  }

  #lotOf(carrier: Carrier, recipient: string): Lot {
    const { weather, recipients } = this.ledger;
    const lot: Lot = carrier === "sms" ? LOTS.sms[weather.sms] : LOTS.mail[weather.mail];
    const isOther = lot.about === "recipient" && recipient !== recipients[carrier][0];
    return isOther ? WORKS[carrier] : lot;
  }

  #stall(): Promise<SendEnd[]> {
    this.death = undefined;
    this.ledger.processDied = true;
    this.#dies();
    return new Promise((resolve) => this.stalled.push(resolve));
  }

  #end(entry: Entry): SendEnd {
    const { ledger } = this;
    const lot = this.#lotOf(entry.carrier, entry.recipient);
    const { outcome, about, listedAfter, fate = "delivered", pause, lasts = 0 } = lot;
    this.pass(lasts);
    const id = `${entry.carrier}-${ledger.entries.length}-${entry.recipient}`;
    if (listedAfter !== undefined) {
      const lag = outcome === "unknown" && ledger.weather.list === "lags" ? MINUTE : 0;
      const listedAt = this.now + Math.max(listedAfter, lag);
      entry.arrived = { id, at: this.now, listedAt, fate };
      this.wrong ??= complaint(entry, ledger);
    }
    return {
      outcome,
      providerId: outcome === "accepted" || outcome === "delivered" ? id : undefined,
      passedOn: false,
      notBefore: pause && this.now + pause,
      fault: faultOf(about),
    };
  }

  #find({ applicationId, recipient, since, exceptIds }: Sought): SendEnd | { outcome: "absent" } {
    const { ledger, now } = this;
    const texts = ledger.entries.filter(
      (entry) =>
        entry.carrier === "sms" &&
        entry.recipient === recipient &&
        entry.applications.includes(applicationId),
    );
    const sought = texts.findLast(({ begunAt }) => begunAt === since);
    if (sought === undefined || (!ledger.clockWasSet && now - since < MINUTE))
      this.wrong ??= `a look after ${now - since} ms`;
    if (ledger.weather.list === "refuses") {
      const end: SendEnd = { outcome: "unknown", fault: faultOf("channel") };
      if (sought) ledger.answer(sought, end);
      return end;
    }
    if (sought) sought.looked = true;
    const found = texts.find(
      ({ arrived }) => arrived && arrived.listedAt <= now && !exceptIds.includes(arrived.id),
    );
    if (found?.arrived === undefined) return { outcome: "absent" };
    const end: SendEnd = {
      outcome: "accepted",
      providerId: found.arrived.id,
      passedOn: true,
    };
    if (sought) ledger.answer(sought, end);
    return end;
  }

  #follow(id: string): SendEnd {
    const { ledger } = this;
    const followed = ledger.entries.findLast(({ end }) => end?.providerId === id);
    const text = ledger.entries.find(({ arrived }) => arrived?.id === id);
    const fate = text?.arrived?.fate;
    if (ledger.weather.list === "refuses" || fate === undefined) {
      if (followed) followed.unsure = true;
      return { outcome: "unknown", fault: faultOf("channel") };
    }
    if (followed) followed.unsure = false;
    if (fate === "never confirmed") return { outcome: "accepted", providerId: id, passedOn: true };
    const end: SendEnd =
      fate === "delivered"
        ? { outcome: "delivered", providerId: id }
        : { outcome: "refused", providerId: id, fault: faultOf("recipient") };
    if (followed) ledger.answer(followed, end);
    return end;
  }
}
