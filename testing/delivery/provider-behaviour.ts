import { MINUTE } from "#lib/application/durations.ts";
import type { OwnerMessage } from "#lib/channels/channel.ts";
import { CHANNEL_NAMES, type ChannelName } from "#lib/channels/names.ts";
import type { Answer, FaultAbout } from "#lib/storage/queries/outcomes.ts";

export interface ProviderBehaviour {
  outcome: Answer["outcome"];
  /** A fault about a recipient affects only the first recipient. */
  about?: FaultAbout;
  /** Delay in ms until the provider's list shows the message. Undefined: the message never arrives. */
  listedAfter?: number;
  /** The status that the provider reports at a status check. Undefined: delivered. */
  finalStatus?: "undelivered" | "never confirmed";
  /** True if the attempt fails before the message is sent. */
  early?: boolean;
  /** The pause in ms that the provider asks for. */
  pause?: number;
  /** Duration of the attempt in ms. */
  lasts?: number;
}

const SILENT = { outcome: "unknown", about: "channel" } as const;
const COMMON = {
  "silent, taken": { ...SILENT, listedAfter: 0 },
  "silent, lost": SILENT,
  "no network": { outcome: "not-sent", about: "channel", early: true },
  "refuses all": { outcome: "rejected", about: "channel" },
  "refuses one recipient": { outcome: "rejected", about: "recipient" },
  "refuses this message": { outcome: "rejected", about: "message" },
} as const;

export const PROVIDER_BEHAVIOURS = {
  sms: {
    ...COMMON,
    works: { outcome: "accepted", listedAfter: 0 },
    undelivered: { outcome: "accepted", listedAfter: 0, finalStatus: "undelivered" },
    "never confirmed": { outcome: "accepted", listedAfter: 0, finalStatus: "never confirmed" },
    "silent, taken late": { ...SILENT, listedAfter: 5 * MINUTE },
    busy: { outcome: "not-sent", about: "channel", pause: 10 * MINUTE },
  },
  mail: {
    ...COMMON,
    works: { outcome: "delivered", listedAfter: 0 },
    hangs: { ...SILENT, lasts: 14 * MINUTE },
  },
} as const satisfies Record<ChannelName, Record<string, ProviderBehaviour>>;

export const mapChannels = <Value>(of: (channel: ChannelName) => Value) =>
  Object.fromEntries(CHANNEL_NAMES.map((name) => [name, of(name)])) as Record<ChannelName, Value>;

/** `lags`: the list shows a message of unknown outcome one minute late. */
export const PROVIDER_LIST_BEHAVIOURS = ["prompt", "lags", "refuses"] as const;
/** Moments of a crash: before or after the record of an attempt, or after the provider has the message. */
export const CRASH_POINTS = ["before the record", "after the record", "after the send"] as const;

export type BehaviourNames = {
  [Name in ChannelName]: keyof (typeof PROVIDER_BEHAVIOURS)[Name];
} & { list: (typeof PROVIDER_LIST_BEHAVIOURS)[number] };

export const isLongApplication = (message: OwnerMessage) =>
  "application" in message && message.application.application.message.length > 100;
