/** A Twilio and a mail server in memory, whose weather a test makes: they answer late, twice, wrongly or not at all. */
import type {
  AttemptResult,
  Channel,
  MessageQuery,
  OwnerMessage,
  TransmitOptions,
} from "#lib/channels/channel.ts";
import type { ChannelName } from "#lib/channels/names.ts";
import type { Channels } from "#lib/channels/registry.ts";
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
const WORKS: Record<ChannelName, Lot> = { sms: LOTS.sms.works, mail: LOTS.mail.works };

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
  stalled: ((ends: AttemptResult[]) => void)[] = [];
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

  /** The channels of these numbers and addresses. */
  channels(recipients: Ledger["recipients"]): Channels {
    this.ledger.recipients = recipients;
    const { sms, mail } = recipients;
    return {
      file: { write: async () => undefined },
      ...(sms.length > 0 && { sms: this.#sms(sms) }),
      ...(mail.length > 0 && { mail: this.#channel("mail", mail) }),
    };
  }

  #sms(recipients: readonly string[]): Channel {
    return {
      ...this.#channel("sms", recipients),
      timeoutMs: MINUTE,
      segments: (message) => (isLong(message) ? 4 : 2),
      isShortened: isLong,
      statusChecks: {
        findMessage: async (sought) => this.#find(sought),
        fetchStatus: async (id) => this.#follow(id),
      },
    };
  }

  #channel(channel: ChannelName, recipients: readonly string[]): Channel {
    return {
      recipients,
      timeoutMs: 30 * MINUTE,
      segments: () => 0,
      isShortened: () => false,
      transmit: (message, to, terms) => this.#send(channel, message, to, terms),
    };
  }

  async #send(
    channel: ChannelName,
    message: OwnerMessage,
    recipients: readonly string[],
    { beforeTransmit = async () => true }: TransmitOptions,
  ): Promise<AttemptResult[]> {
    const { death, ledger } = this;
    if (death === "before the note") return this.#stall();
    // As the engine notes it: another message may hang before this one leaves.
    const begunAt = this.now;
    const isEarly = recipients.every((recipient) => this.#lotOf(channel, recipient).early);
    if (!isEarly && !(await beforeTransmit()))
      return recipients.map(() => ({ outcome: "not-sent" }));
    const { sms, mail } = ledger.weather;
    const entries = recipients.map((recipient): Entry => {
      const entry = {
        ...{ channel, recipient, kind: message.kind, begunAt },
        about: message.kind === "alarm" ? message.about : "",
        applications: applicationsIn(message),
        segments: channel === "mail" ? 0 : isLong(message) ? 4 : 2,
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

  #lotOf(channel: ChannelName, recipient: string): Lot {
    const { weather, recipients } = this.ledger;
    const lot: Lot = channel === "sms" ? LOTS.sms[weather.sms] : LOTS.mail[weather.mail];
    const isOther = lot.about === "recipient" && recipient !== recipients[channel][0];
    return isOther ? WORKS[channel] : lot;
  }

  #stall(): Promise<AttemptResult[]> {
    this.death = undefined;
    this.ledger.processDied = true;
    this.#dies();
    return new Promise((resolve) => this.stalled.push(resolve));
  }

  #end(entry: Entry): AttemptResult {
    const { ledger } = this;
    const lot = this.#lotOf(entry.channel, entry.recipient);
    const { outcome, about, listedAfter, fate = "delivered", pause, lasts = 0 } = lot;
    this.pass(lasts);
    const id = `${entry.channel}-${ledger.entries.length}-${entry.recipient}`;
    if (listedAfter !== undefined) {
      const lag = outcome === "unknown" && ledger.weather.list === "lags" ? MINUTE : 0;
      const listedAt = this.now + Math.max(listedAfter, lag);
      entry.arrived = { id, at: this.now, listedAt, fate };
      this.wrong ??= complaint(entry, ledger);
    }
    return {
      outcome,
      providerId: outcome === "accepted" || outcome === "delivered" ? id : undefined,
      hasLeftProvider: false,
      notBefore: pause && this.now + pause,
      fault: faultOf(about),
    };
  }

  #find({
    applicationId,
    recipient,
    since,
    exceptIds,
  }: MessageQuery): AttemptResult | { outcome: "absent" } {
    const { ledger, now } = this;
    const texts = ledger.entries.filter(
      (entry) =>
        entry.channel === "sms" &&
        entry.recipient === recipient &&
        entry.applications.includes(applicationId),
    );
    const sought = texts.findLast(({ begunAt }) => begunAt === since);
    if (sought === undefined || (!ledger.clockWasSet && now - since < MINUTE))
      this.wrong ??= `a look after ${now - since} ms`;
    if (ledger.weather.list === "refuses") {
      const end: AttemptResult = { outcome: "unknown", fault: faultOf("channel") };
      if (sought) ledger.answer(sought, end);
      return end;
    }
    if (sought) sought.looked = true;
    const found = texts.find(
      ({ arrived }) => arrived && arrived.listedAt <= now && !exceptIds.includes(arrived.id),
    );
    if (found?.arrived === undefined) return { outcome: "absent" };
    const end: AttemptResult = {
      outcome: "accepted",
      providerId: found.arrived.id,
      hasLeftProvider: true,
    };
    if (sought) ledger.answer(sought, end);
    return end;
  }

  #follow(id: string): AttemptResult {
    const { ledger } = this;
    const followed = ledger.entries.findLast(({ end }) => end?.providerId === id);
    const text = ledger.entries.find(({ arrived }) => arrived?.id === id);
    const fate = text?.arrived?.fate;
    if (ledger.weather.list === "refuses" || fate === undefined) {
      if (followed) followed.unsure = true;
      return { outcome: "unknown", fault: faultOf("channel") };
    }
    if (followed) followed.unsure = false;
    if (fate === "never confirmed")
      return { outcome: "accepted", providerId: id, hasLeftProvider: true };
    const end: AttemptResult =
      fate === "delivered"
        ? { outcome: "delivered", providerId: id }
        : { outcome: "rejected", providerId: id, fault: faultOf("recipient") };
    if (followed) ledger.answer(followed, end);
    return end;
  }
}
