/** A log of every attempt, with the result that the engine got. */
import type { OwnerMessage } from "#lib/channels/channel.ts";
import type { ChannelName } from "#lib/channels/names.ts";
import type { AttemptResult } from "#lib/storage/queries/outcomes.ts";
import { type BehaviourNames, mapChannels } from "#testing/delivery/provider-behaviour.ts";

export interface SendLogEntry {
  channel: ChannelName;
  recipient: string;
  kind: OwnerMessage["kind"];
  /** The topic of an alarm; empty for other messages. */
  about: string;
  applications: readonly string[];
  segments: number;
  begunAt: number;
  /** True if the site's own network was down, so that no channel could be reached. */
  isOutage: boolean;
  /** Undefined if the message did not arrive. `listedAt`: time from which the provider's list shows the message. */
  arrived?: { id: string; at: number; listedAt: number; finalStatus: string };
  /** The last result that the engine got; undefined if the process crashed before. */
  result?: AttemptResult;
  /** True once the provider has confirmed the message. */
  taken?: boolean;
  /** True after a status check. `unsure`: the provider did not know the message's status. */
  statusChecked?: boolean;
  unsure?: boolean;
}

const isReached = (result: AttemptResult | undefined) =>
  result?.outcome === "accepted" || result?.outcome === "delivered";

/** True if the recipient has the message, as far as the engine knows. */
export const isKnownReached = (entry: SendLogEntry | undefined) =>
  isReached(entry?.result) && !entry?.unsure;

export class SendLog {
  now = 0;
  providers: BehaviourNames = { ...mapChannels(() => "works" as const), list: "prompt" };
  clockWasSet = false;
  /** True after a change of settings: nothing can check the messages of a removed channel any more. */
  settingsChanged = false;
  /** True after a crash, which may have lost a provider's answer. */
  processCrashed = false;
  recipients: Record<ChannelName, readonly string[]> = mapChannels(() => []);
  /** The highest caps that the history has had. */
  caps = { hourly: 0, daily: 0 };
  /** Number of the owner's resends of each application. */
  readonly asked = new Map<string, number>();
  /** Applications that the owner resent, so that they are sent at once, whatever time the provider has named. */
  readonly resentNow = new Set<string>();
  readonly entries: SendLogEntry[] = [];
  /** Time at which each channel's provider last accepted a message. */
  readonly takenAt = mapChannels(() => 0);

  answer(entry: SendLogEntry, result: AttemptResult): void {
    entry.result = result;
    if (!isReached(result)) return;
    entry.taken = true;
    this.takenAt[entry.channel] = this.now;
  }

  get arrived(): SendLogEntry[] {
    return this.entries.filter(({ arrived }) => arrived);
  }

  /** The reached attempts of an application; none if a provider did not know the status of one of them. */
  holdersOf(applicationId: string): SendLogEntry[] {
    const own = this.entries.filter(
      ({ applications, result }) => applications.includes(applicationId) && isReached(result),
    );
    return own.some(({ unsure }) => unsure) ? [] : own;
  }

  /** Faults of a channel since its provider last accepted a message. */
  faultsOf(channel: ChannelName): SendLogEntry[] {
    const own = this.entries.filter((entry) => entry.channel === channel);
    const since = own.slice(own.findLastIndex(({ taken }) => taken) + 1);
    const failed = since.filter(({ result }) => result?.fault);
    if (this.#refusedTogether(failed)) return failed;
    return failed.filter(({ result }) => result?.fault?.about === "channel");
  }

  /** True if refusals of two messages, or of two recipients, point at the channel. */
  #refusedTogether(failed: readonly SendLogEntry[]): boolean {
    const refusals = failed.filter(
      ({ result, channel, recipient }) =>
        result?.fault?.about !== "channel" && this.recipients[channel].includes(recipient),
    );
    const isRecipients = ({ result }: SendLogEntry) => result?.fault?.about === "recipient";
    const messageOf = ({ applications, about, kind }: SendLogEntry) =>
      applications[0] ?? `${kind} ${about}`;
    return refusals.some((one) =>
      refusals.some((other) =>
        isRecipients(one) && isRecipients(other)
          ? one.recipient !== other.recipient
          : messageOf(one) !== messageOf(other),
      ),
    );
  }

  /** Undefined if the provider refused the recipient, and later took a message for the same recipient. */
  refuses(recipient: string): boolean | undefined {
    const own = this.entries.filter((entry) => entry.recipient === recipient);
    const at = own.findLastIndex(({ result }) => result?.fault?.about === "recipient");
    if (at < 0) return false;
    return own.slice(at + 1).some(({ taken }) => taken) ? undefined : true;
  }

  /** True while an accepted message has no final status. */
  get hasUnsettled(): boolean {
    return this.entries.some(({ result }) => result?.outcome === "accepted");
  }
}
