/** A fake Twilio and mail server that reject, hang, lose messages, answer late or not at all. */
import { MINUTE } from "#lib/application/durations.ts";
import type {
  Channel,
  MessageContent,
  MessageSearch,
  TransmitOptions,
} from "#lib/channels/channel.ts";
import { PROVIDER_CHANNELS, type ProviderChannel } from "#lib/channels/names.ts";
import type { Channels } from "#lib/channels/registry.ts";
import type { Answer, Fault, FaultAbout, SearchAnswer } from "#lib/storage/outcomes.ts";
import {
  isLongApplication,
  PROVIDER_BEHAVIOURS,
  type ProviderBehaviour,
} from "#testing/delivery/actions.ts";
import type { SimulatedProcess } from "#testing/delivery/process.ts";
import { noteBrokenRule } from "#testing/delivery/rules.ts";
import {
  RULES_OF_ARRIVAL,
  RULES_OF_SEARCH,
  RULES_OF_SENDING,
} from "#testing/delivery/rules-of-messages.ts";
import type { SentMessage, World } from "#testing/delivery/world.ts";

/** The answer to a process that was resumed. Such a process no longer has the lease, and may record nothing. */
const ANSWER_AFTER_RESUME: Answer = {
  outcome: "accepted",
  providerId: "late",
  hasLeftProvider: true,
};

export const SLOTS = 4;
const WITHOUT_SEGMENTS = {
  slots: SLOTS,
  timeoutMs: 30 * MINUTE,
  segments: () => 0,
  isShortened: () => false,
};

const segmentsOf = (message: MessageContent) => (isLongApplication(message) ? 4 : 2);

export class FakeProviders {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Number of the conversations that have begun, also of those that sent nothing. */
  conversationCount = 0;
  /** Number of the faults that were reported. */
  faultCount = 0;

  /** The channels as one process of the server has them. */
  channelsOf(process: SimulatedProcess, recipients: World["recipients"]): Channels {
    this.#world.recipients = recipients;
    const configured = PROVIDER_CHANNELS.filter((name) => recipients[name].length > 0);
    const opened = configured.map((name) => [name, this.#open(name, process)] as const);
    return opened.length > 0 ? Object.fromEntries(opened) : { file: fileChannel };
  }

  #open(channel: ProviderChannel, process: SimulatedProcess): Channel {
    const common = {
      recipients: this.#world.recipients[channel],
      transmit: (message: MessageContent, recipient: string, options: TransmitOptions) => {
        this.conversationCount += 1;
        return this.#transmit({ channel, recipient, message, process, ...options });
      },
    };
    if (channel !== "sms") return { ...common, ...WITHOUT_SEGMENTS };
    return {
      ...common,
      slots: SLOTS,
      timeoutMs: MINUTE,
      segments: segmentsOf,
      isShortened: isLongApplication,
      statusChecks: {
        searchForMessage: async (query) =>
          (await process.waitWhileStopped()) ? ANSWER_AFTER_RESUME : this.#search(query),
        fetchStatus: async (id) =>
          (await process.waitWhileStopped()) ? ANSWER_AFTER_RESUME : this.#checkStatus(id),
      },
    };
  }

  async #transmit(request: TransmitRequest): Promise<Answer> {
    const {
      channel,
      recipient,
      message,
      process,
      signal,
      beforeTransmit = async () => true,
    } = request;
    const world = this.#world;
    if (await process.stopAndWaitAt("before the record")) return ANSWER_AFTER_RESUME;
    // The worker records the same time in `beforeTransmit`, so the time is read first: during that call the clock can
    // move on to the time limit of a conversation that hangs on the other channel.
    const begunAt = world.now;
    const behaviour = this.#behaviourTowards(channel, recipient);
    if (!behaviour.failsEarly && !(await beforeTransmit())) return { outcome: "not-sent" };
    const send: SentMessage = {
      ...{ channel, recipient, kind: message.kind, at: world.elapsed, begunAt },
      topic: message.kind === "alarm" ? message.topic : "",
      applicationId: "application" in message ? message.application.applicationId : undefined,
      segments: channel === "sms" ? segmentsOf(message) : 0,
      isOutage: PROVIDER_CHANNELS.every((name) => world.providers[name] === "no network"),
    };
    // An attempt that fails before its first byte sends nothing, so the rules of sending do not apply.
    if (!behaviour.failsEarly) noteBrokenRule(RULES_OF_SENDING, send, world);
    world.sends.push(send);
    if (await process.waitWhileStopped()) return ANSWER_AFTER_RESUME;
    if (!behaviour.failsEarly && (await process.stopAndWaitAt("after the record")))
      return ANSWER_AFTER_RESUME;
    if (behaviour.lasts) await this.#hang(behaviour.lasts, signal);
    // A conversation that our own stop has cut off is no fault of the provider.
    const answer: Answer = signal.aborted
      ? { outcome: "unknown" }
      : this.#answerTo(send, behaviour);
    if (!behaviour.failsEarly && (await process.stopAndWaitAt("after the send")))
      return ANSWER_AFTER_RESUME;
    if (await process.waitWhileStopped()) return ANSWER_AFTER_RESUME;
    world.noteAnswer(send, answer);
    return answer;
  }

  /** Ends the conversations whose time is over. Returns the time at which the next one ends, or infinity. */
  endHanging(): number {
    const world = this.#world;
    for (const { until, end } of world.hanging) if (until <= world.elapsed) end();
    world.hanging = world.hanging.filter(({ until }) => until > world.elapsed);
    return Math.min(...world.hanging.map(({ until }) => until));
  }

  #hang(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#world.hanging.push({ until: this.#world.elapsed + ms, end: resolve });
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  #reportFault(about: FaultAbout | undefined): Fault | undefined {
    if (about === undefined) return undefined;
    this.faultCount += 1;
    return { error: "provider fault", advice: "점검", about };
  }

  #behaviourTowards(channel: ProviderChannel, recipient: string): ProviderBehaviour {
    const { providers, recipients } = this.#world;
    const own: Readonly<Record<string, ProviderBehaviour>> = PROVIDER_BEHAVIOURS[channel];
    const works: ProviderBehaviour = PROVIDER_BEHAVIOURS[channel].works;
    const behaviour = own[providers[channel]] ?? works;
    const isOther = behaviour.about === "recipient" && recipient !== recipients[channel][0];
    return isOther ? works : behaviour;
  }

  #answerTo(send: SentMessage, behaviour: ProviderBehaviour): Answer {
    const world = this.#world;
    const { outcome, about, listedAfter, finalStatus = "delivered", pause } = behaviour;
    const id = `${send.channel}-${world.sends.length}-${send.recipient}`;
    if (listedAfter !== undefined) {
      const lag = outcome === "unknown" && world.providers.list === "lags" ? MINUTE : 0;
      const listedAt = world.elapsed + Math.max(listedAfter, lag);
      send.arrived = { id, listedAt, finalStatus };
      noteBrokenRule(RULES_OF_ARRIVAL, send, world);
    }
    return {
      outcome,
      providerId: outcome === "accepted" || outcome === "delivered" ? id : undefined,
      hasLeftProvider: false,
      notBefore: pause && world.now + pause,
      fault: this.#reportFault(about),
    };
  }

  #search({ applicationId, recipient, begunAt, exceptIds }: MessageSearch): SearchAnswer {
    const world = this.#world;
    this.conversationCount += 1;
    const texts = world
      .sendsAbout(applicationId)
      .filter((send) => send.channel === "sms" && send.recipient === recipient);
    const sought = texts.findLast((send) => send.begunAt === begunAt);
    if (sought) noteBrokenRule(RULES_OF_SEARCH, sought, world);
    else world.broken ??= "Broken: only a text that was begun is searched for";
    const answer = (said: Answer) => {
      if (sought) world.noteAnswer(sought, said);
      return said;
    };
    if (world.providers.list === "refuses") {
      if (sought) sought.isSearchRefused = true;
      return answer({ outcome: "unknown", fault: this.#reportFault("channel") });
    }
    if (sought) sought.isSearched = true;
    const found = texts.find(
      ({ arrived }) =>
        arrived && arrived.listedAt <= world.elapsed && !exceptIds.includes(arrived.id),
    );
    if (found?.arrived === undefined) return { outcome: "absent" };
    return answer({ outcome: "accepted", providerId: found.arrived.id, hasLeftProvider: true });
  }

  #checkStatus(id: string): Answer {
    const world = this.#world;
    this.conversationCount += 1;
    const followed = world.sends.findLast(({ answer }) => answer?.providerId === id);
    const text = world.sends.find(({ arrived }) => arrived?.id === id);
    const finalStatus = text?.arrived?.finalStatus;
    if (world.providers.list === "refuses" || finalStatus === undefined) {
      if (followed) followed.isStatusUnknown = true;
      return { outcome: "unknown", fault: this.#reportFault("channel") };
    }
    if (followed) followed.isStatusUnknown = false;
    if (finalStatus === "never confirmed")
      return { outcome: "accepted", providerId: id, hasLeftProvider: true };
    const answer: Answer =
      finalStatus === "delivered"
        ? { outcome: "delivered", providerId: id }
        : { outcome: "rejected", providerId: id, fault: this.#reportFault("recipient") };
    if (followed) world.noteAnswer(followed, answer);
    return answer;
  }
}

interface TransmitRequest extends TransmitOptions {
  channel: ProviderChannel;
  recipient: string;
  message: MessageContent;
  process: SimulatedProcess;
}

const fileChannel: Channel = {
  ...WITHOUT_SEGMENTS,
  recipients: ["outbox"],
  transmit: async (_message, _recipient, { beforeTransmit }) => ({
    outcome: (await beforeTransmit?.()) === false ? "not-sent" : "delivered",
  }),
};
