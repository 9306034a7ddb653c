/** What a history has done so far: clocks, settings, providers, events, and a log of every attempt to send. */
import { DAY, MINUTE } from "#lib/application/durations.ts";
import { PROVIDER_CHANNELS, type ProviderChannel } from "#lib/channels/names.ts";
import type { Answer } from "#lib/storage/outcomes.ts";
import { type BehaviourNames, type HistoryAction, mapChannels } from "#testing/delivery/actions.ts";
import { TEST_NOW } from "#testing/storage/temporary-store.ts";

export type HistoryEvent = HistoryAction["do"];

/** An attempt to send to one recipient, also if it failed before its first byte. Monotonic times, except `begunAt`. */
export interface SentMessage {
  channel: ProviderChannel;
  recipient: string;
  kind: string;
  /** The topic of an alarm; empty for other messages. */
  topic: string;
  applicationId: string | undefined;
  segments: number;
  at: number;
  /** By the wall clock, as the worker records it. */
  begunAt: number;
  /** True if the site's own network was down, so that no channel could be reached. */
  isOutage: boolean;
  /** Undefined if the message did not arrive. `listedAt`: time from which the provider's list shows the message. */
  arrived?: { id: string; listedAt: number; finalStatus: string };
  /** The last answer that the worker got; undefined if the process was stopped before. */
  answer?: Answer;
  answeredAt?: number;
  isSearched?: boolean;
  /** True after a search that the provider answered with a fault. */
  isSearchRefused?: boolean;
  /** True while nobody can say what became of an accepted message: its provider cannot, or its channel was replaced. */
  isStatusUnknown?: boolean;
}

export interface Submitted {
  action: Extract<HistoryAction, { do: "apply" }>;
  /** Time since which the application waits: its submission, its resend, or the restart that sends a filed one. */
  waitsSince: number;
  /** Number of resends that made the application due at once. */
  resends: number;
  /** True after a resend that sends at once only what is not in doubt. */
  wasMadeDueEarly?: boolean;
}

const isReached = (answer: Answer | undefined) =>
  answer?.outcome === "accepted" || answer?.outcome === "delivered";

/** True if the recipient or the provider has the message, as far as the worker knows. */
export const isKnownReached = (send: SentMessage | undefined) =>
  isReached(send?.answer) && !send?.isStatusUnknown;

/** True if the recipient may have the message, and the worker does not know. */
export const isInDoubt = (send: SentMessage | undefined) =>
  send !== undefined && (send.answer === undefined || send.answer.outcome === "unknown");

/** True if the provider has reported to the worker that an accepted message was not delivered. */
export const isUndelivered = (send: SentMessage | undefined) =>
  send?.answer?.outcome === "rejected" && send.answer.providerId !== undefined;

export class World {
  now = TEST_NOW;
  /** The monotonic clock, which nobody can set. */
  elapsed = 0;
  providers: BehaviourNames = { ...mapChannels(() => "works" as const), list: "prompt" };
  /** Time at which the current process started, and the number of `sends` before its start. */
  startedAt = 0;
  sendsBeforeStart = 0;
  /** Time at which each provider last began to work. */
  readonly worksSince = mapChannels(() => 0);
  recipients: Record<ProviderChannel, readonly string[]> = mapChannels(() => []);
  /** The channels with which the history began. */
  firstChannels: readonly ProviderChannel[] = [];
  /** The hourly cap of the present settings. */
  hourlyCap = 0;
  /** The highest caps that the history has had. */
  readonly highestCaps = { hourly: 0, daily: 0 };
  readonly happened = new Set<HistoryEvent>();
  readonly applications = new Map<string, Submitted>();
  readonly sends: SentMessage[] = [];
  /** The first rule that was broken. */
  broken: string | undefined;
  /** The conversations that hang, with the time of their end by the monotonic clock. */
  hanging: { until: number; end: () => void }[] = [];
  /** The messages of each channel that failed since its provider last took one, in the order of their answers. */
  readonly failedSends = mapChannels(() => new Set<SentMessage>());
  /** Time at which each provider last took a message. */
  readonly takenAt = mapChannels(() => Number.NEGATIVE_INFINITY);
  /** The answered messages to each recipient, in the order of their answers. */
  readonly answered = new Map<string, SentMessage[]>();

  advance(ms: number): void {
    this.now += ms;
    this.elapsed += ms;
  }

  setProviders(changed: Partial<BehaviourNames>): void {
    for (const name of PROVIDER_CHANNELS)
      if (changed[name] === "works" && this.providers[name] !== "works")
        this.worksSince[name] = this.elapsed;
    Object.assign(this.providers, changed);
  }

  configuredChannels(): ProviderChannel[] {
    return PROVIDER_CHANNELS.filter((name) => this.recipients[name].length > 0);
  }

  isConfigured(recipient: string): boolean {
    return Object.values(this.recipients).some((own) => own.includes(recipient));
  }

  othersThan(channel: ProviderChannel): ProviderChannel[] {
    return this.configuredChannels().filter((name) => name !== channel);
  }

  isSuspicious(applicationId: string | undefined): boolean {
    return this.applications.get(applicationId ?? "")?.action.isSuspicious === true;
  }

  isResent(applicationId: string): boolean {
    return (this.applications.get(applicationId)?.resends ?? 0) > 0;
  }

  /** True if a resend has made messages of the application due before their time. */
  isDueEarly(applicationId: string | undefined): boolean {
    return this.applications.get(applicationId ?? "")?.wasMadeDueEarly === true;
  }

  /** Accepted messages whose channel has left the settings count no more, because another channel sends. */
  forgetUnconfirmed(): void {
    for (const send of this.sends)
      if (this.recipients[send.channel].length === 0)
        send.isStatusUnknown ||= send.answer?.outcome === "accepted";
  }

  /** Restarts the waiting time of an application that was filed. */
  restartWaiting(applicationId: string): void {
    const submitted = this.applications.get(applicationId);
    if (submitted) submitted.waitsSince = this.elapsed;
  }

  /** True until the time that the provider has named. */
  mustWait(send: SentMessage | undefined): boolean {
    return (send?.answer?.notBefore ?? 0) > this.now;
  }

  /** True if a text about the application is shortened. */
  isLong(applicationId: string | undefined): boolean {
    return this.applications.get(applicationId ?? "")?.action.isLong === true;
  }

  noteAnswer(send: SentMessage, answer: Answer): void {
    const { channel, recipient } = send;
    send.answer = answer;
    send.answeredAt = this.elapsed;
    this.answered.set(recipient, [...(this.answered.get(recipient) ?? []), send]);
    this.failedSends[channel].delete(send);
    if (answer.fault) this.failedSends[channel].add(send);
    if (!isReached(answer)) return;
    this.failedSends[channel].clear();
    this.takenAt[channel] = this.elapsed;
  }

  /** The messages about an application, in the order in which they began. */
  sendsAbout(applicationId: string | undefined): SentMessage[] {
    if (applicationId === undefined) return [];
    return this.sends.filter((send) => send.applicationId === applicationId);
  }

  lastTo(recipient: string, applicationId: string | undefined): SentMessage | undefined {
    return this.sendsAbout(applicationId).findLast((send) => send.recipient === recipient);
  }

  /** The message before this one, about the same application to the same recipient. This one is not yet in `sends`. */
  lastBefore({ recipient, applicationId }: SentMessage): SentMessage | undefined {
    return this.lastTo(recipient, applicationId);
  }

  /** The accepted or delivered messages of an application; none while it is unclear what became of one. */
  reachedMessagesOf(applicationId: string): SentMessage[] {
    const own = this.sendsAbout(applicationId).filter(({ answer }) => isReached(answer));
    return own.some(({ isStatusUnknown }) => isStatusUnknown) ? [] : own;
  }

  /** Segments of the texts that have arrived. */
  segmentsWithin(ms: number): number {
    return this.#segmentsOf((send) => send.arrived !== undefined, ms);
  }

  /** True if the caps may delay a text. What may have been sent is charged too. */
  mayBeCapped(channel: ProviderChannel): boolean {
    const charged = this.#segmentsOf((send) => send.arrived !== undefined || isInDoubt(send), DAY);
    return channel === "sms" && (this.hourlyCap < 30 || charged > 20);
  }

  #segmentsOf(isCounted: (send: SentMessage) => boolean, ms: number): number {
    const texts = this.sends.filter((send) => isCounted(send) && send.at > this.elapsed - ms);
    return texts.reduce((sum, send) => sum + send.segments, 0);
  }

  /** Every message so far, for the reader of a failing history. */
  describe(): string {
    const numbers = [...this.applications.keys()];
    return this.sends
      .map(({ at, channel, recipient, kind, topic, applicationId, answer, arrived, isSearched }) =>
        [
          `${(at / MINUTE).toFixed(1)} min`,
          `${channel} to ${recipient.slice(0, 3)}:`,
          applicationId ? `application ${numbers.indexOf(applicationId) + 1}` : `${kind} ${topic}`,
          answer?.outcome ?? "no answer",
          arrived ? `(arrived, ${arrived.finalStatus})` : "(lost)",
          isSearched ? "(searched)" : "",
        ].join(" "),
      )
      .join("\n");
  }
}
