/** A fake Twilio and mail server that refuse, hang, lose messages, answer late or not at all. */
import { MINUTE } from "#lib/application/durations.ts";
import type {
  Channel,
  MessageQuery,
  OwnerMessage,
  TransmitOptions,
} from "#lib/channels/channel.ts";
import { CHANNEL_NAMES, type ChannelName } from "#lib/channels/names.ts";
import type { Channels } from "#lib/channels/registry.ts";
import type { AttemptResult } from "#lib/storage/queries/outcomes.ts";
import { violationOnArrival, violationOnSending } from "#testing/delivery/invariants.ts";
import {
  applicationIdsInMessage,
  type CRASH_POINTS,
  isLongApplication,
  PROVIDER_BEHAVIOURS,
  type ProviderBehaviour,
} from "#testing/delivery/provider-behaviour.ts";
import { SendLog, type SendLogEntry } from "#testing/delivery/send-log.ts";

const segmentsOf = (message: OwnerMessage) => (isLongApplication(message) ? 4 : 2);

const faultOf = (about: ProviderBehaviour["about"]) =>
  about && { error: "provider fault", advice: "점검", about };

export class FakeProviders {
  readonly sendLog = new SendLog();
  /** The first broken invariant. */
  wrong: string | undefined;
  /** The monotonic time, which does not follow the wall clock. */
  steady = 0;
  /** The moment at which the next message crashes the process. */
  crashPoint: (typeof CRASH_POINTS)[number] | undefined;
  crashed: Promise<void> = new Promise(() => undefined);
  /** Unfinished attempts of crashed processes, which a history may resume. */
  stalled: ((results: AttemptResult[]) => void)[] = [];
  #reportCrash: () => void = () => undefined;

  crashAtNextMessage(crashPoint: (typeof CRASH_POINTS)[number]): void {
    this.crashPoint = crashPoint;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.crashed = promise;
    this.#reportCrash = resolve;
  }

  get now(): number {
    return this.sendLog.now;
  }

  pass(ms: number): void {
    this.sendLog.now += ms;
    this.steady += ms;
  }

  channels(recipients: SendLog["recipients"]): Channels {
    this.sendLog.recipients = recipients;
    const channels: Channels = { writeFile: async () => undefined };
    for (const name of CHANNEL_NAMES) {
      const own = recipients[name];
      if (own.length > 0)
        channels[name] = name === "sms" ? this.#sms(own) : this.#channel(name, own);
    }
    return channels;
  }

  #sms(recipients: readonly string[]): Channel {
    return {
      ...this.#channel("sms", recipients),
      timeoutMs: MINUTE,
      segments: segmentsOf,
      isShortened: isLongApplication,
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
    const { crashPoint, crashed, sendLog } = this;
    if (crashPoint === "before the record") return this.#stall();
    // The engine records this time too. A hanging attempt on the other channel can move the clock meanwhile.
    const begunAt = this.now;
    const isEarly = recipients.every(
      (recipient) => this.#behaviourTowards(channel, recipient).early,
    );
    if (!isEarly && !(await beforeTransmit()))
      return recipients.map(() => ({ outcome: "not-sent" }));
    const { list: _list, ...providers } = sendLog.providers;
    const entries = recipients.map((recipient): SendLogEntry => {
      const entry = {
        ...{ channel, recipient, kind: message.kind, begunAt },
        about: message.kind === "alarm" ? message.about : "",
        applications: applicationIdsInMessage(message),
        segments: channel === "sms" ? segmentsOf(message) : 0,
        isOutage: Object.values(providers).every((each) => each === "no network"),
      };
      this.wrong ??= violationOnSending(message, entry, sendLog);
      return entry;
    });
    sendLog.entries.push(...entries);
    if (crashPoint === "after the record" && !isEarly) return this.#stall();
    const results = entries.map((entry) => this.#attempt(entry));
    if (crashPoint === "after the send" && !isEarly) return this.#stall();
    // The process has crashed during another attempt, and so records no result.
    if (this.crashed !== crashed) return results;
    for (const [index, result] of results.entries()) {
      const entry = entries[index];
      if (entry) sendLog.answer(entry, result);
    }
    return results;
  }

  #behaviourTowards(channel: ChannelName, recipient: string): ProviderBehaviour {
    const { providers, recipients } = this.sendLog;
    const own: Readonly<Record<string, ProviderBehaviour>> = PROVIDER_BEHAVIOURS[channel];
    const works: ProviderBehaviour = PROVIDER_BEHAVIOURS[channel].works;
    const behaviour = own[providers[channel]] ?? works;
    const isOther = behaviour.about === "recipient" && recipient !== recipients[channel][0];
    return isOther ? works : behaviour;
  }

  #stall(): Promise<AttemptResult[]> {
    this.crashPoint = undefined;
    this.sendLog.processCrashed = true;
    this.#reportCrash();
    return new Promise((resolve) => this.stalled.push(resolve));
  }

  #attempt(entry: SendLogEntry): AttemptResult {
    const { sendLog } = this;
    const behaviour = this.#behaviourTowards(entry.channel, entry.recipient);
    const { outcome, about, listedAfter, finalStatus = "delivered", pause, lasts = 0 } = behaviour;
    this.pass(lasts);
    const id = `${entry.channel}-${sendLog.entries.length}-${entry.recipient}`;
    if (listedAfter !== undefined) {
      const lag = outcome === "unknown" && sendLog.providers.list === "lags" ? MINUTE : 0;
      const listedAt = this.steady + Math.max(listedAfter, lag);
      entry.arrived = { id, at: this.now, listedAt, finalStatus };
      this.wrong ??= violationOnArrival(entry, sendLog);
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
    begunAt,
    exceptIds,
  }: MessageQuery): AttemptResult | { outcome: "absent" } {
    const { sendLog, now, steady } = this;
    const texts = sendLog.entries.filter(
      (entry) =>
        entry.channel === "sms" &&
        entry.recipient === recipient &&
        entry.applications.includes(applicationId),
    );
    const sought = texts.findLast((entry) => entry.begunAt === begunAt);
    if (sought === undefined || (!sendLog.clockWasSet && now - begunAt < MINUTE))
      this.wrong ??= `a status check after ${now - begunAt} ms`;
    if (sendLog.providers.list === "refuses") {
      const result: AttemptResult = { outcome: "unknown", fault: faultOf("channel") };
      if (sought) sendLog.answer(sought, result);
      return result;
    }
    if (sought) sought.statusChecked = true;
    const found = texts.find(
      ({ arrived }) => arrived && arrived.listedAt <= steady && !exceptIds.includes(arrived.id),
    );
    if (found?.arrived === undefined) return { outcome: "absent" };
    const result: AttemptResult = {
      outcome: "accepted",
      providerId: found.arrived.id,
      hasLeftProvider: true,
    };
    if (sought) sendLog.answer(sought, result);
    return result;
  }

  #follow(id: string): AttemptResult {
    const { sendLog } = this;
    const followed = sendLog.entries.findLast(({ result }) => result?.providerId === id);
    const text = sendLog.entries.find(({ arrived }) => arrived?.id === id);
    const finalStatus = text?.arrived?.finalStatus;
    if (sendLog.providers.list === "refuses" || finalStatus === undefined) {
      if (followed) followed.unsure = true;
      return { outcome: "unknown", fault: faultOf("channel") };
    }
    if (followed) followed.unsure = false;
    if (finalStatus === "never confirmed")
      return { outcome: "accepted", providerId: id, hasLeftProvider: true };
    const result: AttemptResult =
      finalStatus === "delivered"
        ? { outcome: "delivered", providerId: id }
        : { outcome: "rejected", providerId: id, fault: faultOf("recipient") };
    if (followed) sendLog.answer(followed, result);
    return result;
  }
}
