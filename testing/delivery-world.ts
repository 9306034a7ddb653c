/** A Twilio and a mail server in memory, whose weather a test makes: they answer late, twice, wrongly or not at all. */
import type {
  MessageCarrier,
  OwnerMessage,
  SendEnd,
  SendTerms,
  Sought,
} from "#lib/channels/carrier.ts";
import type { Carrier } from "#lib/storage/tables.ts";
import { Ledger } from "#testing/delivery-ledger.ts";
import {
  type Arrived,
  applicationsIn,
  type DEATHS,
  fault,
  type Heard,
  isLong,
  segmentsOf,
  type Weather,
} from "#testing/delivery-weather.ts";

const MINUTE = 60_000;

export class DeliveryWorld {
  now = 0;
  /** Runs with the time that passes, whatever the wall clock says. */
  steady = 0;
  weather: Weather = { sms: "works", list: "prompt", mail: "works" };
  arrived: Arrived[] = [];
  heard: Heard[] = [];
  /** The next message kills the process. */
  death: (typeof DEATHS)[number] | undefined;
  /** Resolves when the process has died. */
  died: Promise<void> = new Promise(() => undefined);
  /** The sends of dead processes: each can still come back. */
  stalled: ((ends: SendEnd[]) => void)[] = [];
  /** The weather in which each carrier failed last. */
  readonly failedIn: Partial<Record<Carrier, string>> = {};
  /** Alarms about a carrier that works again: what failed was our own network. */
  falseAlarms = 0;
  readonly ledger = new Ledger();
  #count = 0;

  /** From now on a message can kill the process. */
  die(death: (typeof DEATHS)[number]): void {
    this.death = death;
    this.died = new Promise((resolve) => {
      this.#dies = resolve;
    });
  }
  #dies: () => void = () => undefined;

  pass(ms: number): void {
    this.now += ms;
    this.steady += ms;
  }

  sms(recipients: readonly string[]): MessageCarrier {
    return {
      recipients,
      tryLimitMs: MINUTE,
      segments: segmentsOf,
      shortens: isLong,
      send: (message, to, terms) =>
        this.#send(message, to, terms, (each) => this.#text(message, each)),
      tracking: {
        find: async (sought) => this.#find(sought),
        follow: async (id) => this.#follow(id),
      },
    };
  }

  mail(recipients: readonly string[]): MessageCarrier {
    return {
      recipients,
      tryLimitMs: 30 * MINUTE,
      segments: () => 0,
      shortens: () => false,
      send: (message, to, terms) =>
        this.#send(message, to, terms, (each) => this.#mail(message, each)),
    };
  }

  async #send(
    message: OwnerMessage,
    recipients: readonly string[],
    { mayLeave = async () => true }: SendTerms,
    toOne: (recipient: string) => SendEnd,
  ): Promise<SendEnd[]> {
    const { death } = this;
    if (death === "before the note") return this.#stall();
    const [applicationId = ""] = applicationsIn(message);
    // As the engine notes it: another message may hang before this one leaves.
    const begunAt = this.now;
    const begin = () =>
      recipients.map((recipient) => {
        const carrier = recipient.startsWith("+") ? "sms" : "mail";
        return this.ledger.begin({ carrier, recipient, applicationId, begunAt });
      });
    const failsEarly = this.#failsEarly(message, recipients[0] ?? "");
    if (!failsEarly && !(await mayLeave())) return recipients.map(() => ({ outcome: "unsent" }));
    const entries = begin();
    if (death === "after the note" && !failsEarly) return this.#stall();
    const ends = recipients.map(toOne);
    if (death === "after the send" && !failsEarly) return this.#stall();
    for (const [index, end] of ends.entries()) {
      const entry = entries[index];
      if (entry) this.ledger.answer(entry, end, this.now);
    }
    return ends;
  }

  /** What fails before a message could leave asks nobody whether it may. */
  #failsEarly(message: OwnerMessage, recipient: string): boolean {
    const { sms, mail } = this.weather;
    return (recipient.startsWith("+") ? sms : mail) === "no network" && message.kind !== "test";
  }

  #stall(): Promise<SendEnd[]> {
    this.death = undefined;
    this.#dies();
    return new Promise((resolve) => this.stalled.push(resolve));
  }

  #text(message: OwnerMessage, recipient: string): SendEnd {
    const { sms } = this.weather;
    if (sms !== "works") this.failedIn.sms = sms;
    const doubtful = sms.startsWith("silent");
    const [applicationId = ""] = applicationsIn(message);
    if (message.kind === "application" && sms !== "no network")
      this.heard.push({ what: "text", applicationId, recipient, at: this.now, doubtful });
    const fate = sms === "undelivered" || sms === "never confirmed" ? sms : "delivered";
    const arrive = (listedAt: number) =>
      this.#arrive({ carrier: "sms", message, recipient, listedAt, fate });
    switch (sms) {
      case "silent, taken":
        arrive(this.now + (this.weather.list === "lags" ? MINUTE : 0));
        return { outcome: "unknown", fault: fault("channel") };
      case "silent, taken late":
        arrive(this.now + 5 * MINUTE);
        return { outcome: "unknown", fault: fault("channel") };
      case "silent, lost":
        return { outcome: "unknown", fault: fault("channel") };
      case "no network":
        return { outcome: "unsent", fault: fault("channel") };
      case "busy":
        return { outcome: "unsent", notBefore: this.now + 10 * MINUTE, fault: fault("channel") };
      case "refuses all":
        return { outcome: "refused", fault: fault("channel") };
      case "refuses the number":
        return { outcome: "refused", fault: fault("recipient") };
      case "refuses the text":
        return { outcome: "refused", fault: fault("message") };
      default:
        return { outcome: "accepted", providerId: arrive(this.now), passedOn: false };
    }
  }

  #mail(message: OwnerMessage, recipient: string): SendEnd {
    const { mail } = this.weather;
    if (mail !== "works") this.failedIn.mail = mail;
    const arrive = () =>
      this.#arrive({ carrier: "mail", message, recipient, listedAt: this.now, fate: "delivered" });
    switch (mail) {
      case "works":
        return { outcome: "delivered", providerId: arrive() };
      case "silent, taken":
        arrive();
        return { outcome: "unknown", fault: fault("channel") };
      case "silent, lost":
        return { outcome: "unknown", fault: fault("channel") };
      case "hangs":
        this.pass(14 * MINUTE);
        return { outcome: "unknown", fault: fault("channel") };
      case "no network":
        return { outcome: "unsent", fault: fault("channel") };
      case "refuses all":
        return { outcome: "refused", fault: fault("channel") };
      case "refuses the address":
        return { outcome: "refused", fault: fault("recipient") };
      case "refuses the mail":
        return { outcome: "refused", fault: fault("message") };
    }
  }

  #arrive({
    message,
    ...rest
  }: Pick<Arrived, "carrier" | "recipient" | "listedAt" | "fate"> & {
    message: OwnerMessage;
  }): string {
    this.#count += 1;
    const about = message.kind === "alarm" ? message.about : "";
    const both = this.failedIn.sms === "no network" && this.failedIn.mail === "no network";
    if ((about === "sms" || about === "mail") && both && this.weather[about] === "works")
      this.falseAlarms += 1;
    this.arrived.push({
      ...rest,
      kind: message.kind,
      about,
      applications: applicationsIn(message),
      at: this.now,
      segments: rest.carrier === "sms" ? segmentsOf(message) : 0,
      id: `${rest.carrier}-${this.#count}`,
    });
    return `${rest.carrier}-${this.#count}`;
  }

  #find({ applicationId, recipient, since, exceptIds }: Sought): SendEnd | { outcome: "absent" } {
    const answered = this.weather.list !== "refuses";
    this.heard.push({ what: "look", applicationId, recipient, at: this.now, answered });
    const isSought: Parameters<Ledger["answered"]>[0] = (entry) =>
      entry.applicationId === applicationId &&
      entry.recipient === recipient &&
      entry.begunAt === since;
    if (!answered) {
      const end: SendEnd = { outcome: "unknown", fault: fault("channel") };
      this.ledger.answered(isSought, end, this.now);
      return end;
    }
    const found = this.arrived.find(
      (text) =>
        text.carrier === "sms" &&
        text.applications.includes(applicationId) &&
        text.recipient === recipient &&
        text.listedAt <= this.now &&
        !exceptIds.includes(text.id),
    );
    if (found === undefined) return { outcome: "absent" };
    const end: SendEnd = { outcome: "accepted", providerId: found.id, passedOn: true };
    this.ledger.answered(isSought, end, this.now);
    return end;
  }

  #follow(id: string): SendEnd {
    const text = this.arrived.find((each) => each.id === id);
    if (this.weather.list === "refuses" || text === undefined)
      return { outcome: "unknown", fault: fault("channel") };
    if (text.fate === "never confirmed")
      return { outcome: "accepted", providerId: id, passedOn: true };
    const end: SendEnd =
      text.fate === "delivered"
        ? { outcome: "delivered", providerId: id }
        : { outcome: "refused", providerId: id, fault: fault("recipient") };
    this.ledger.answered(({ end: known }) => known?.providerId === id, end, this.now);
    return end;
  }
}
