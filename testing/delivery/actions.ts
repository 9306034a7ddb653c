/** What can happen in a history of the delivery: settings, actions, and the behaviour of the providers. */
import fc from "fast-check";
import { DAY, HOUR, MINUTE } from "#lib/application/durations.ts";
import type { MessageContent } from "#lib/channels/channel.ts";
import { PROVIDER_CHANNELS, type ProviderChannel } from "#lib/channels/names.ts";
import type { Answer, FaultAbout } from "#lib/storage/outcomes.ts";

export interface ProviderBehaviour {
  outcome: Answer["outcome"];
  /** A fault about a recipient affects only the first recipient. */
  about?: FaultAbout;
  /** Delay in ms until the provider's list shows the message. Undefined: the message never arrives. */
  listedAfter?: number;
  /** The status that the provider reports at a status check. Undefined: delivered. */
  finalStatus?: "undelivered" | "never confirmed";
  /** True if the attempt fails before the message is sent. */
  failsEarly?: boolean;
  /** The pause in ms that the provider asks for. */
  pause?: number;
  /** Duration of the attempt in ms. */
  lasts?: number;
}

const SILENT = { outcome: "unknown", about: "channel" } as const;
const COMMON = {
  "silent, taken": { ...SILENT, listedAfter: 0 },
  "silent, lost": SILENT,
  "no network": { outcome: "not-sent", about: "channel", failsEarly: true },
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
} as const satisfies Record<ProviderChannel, Record<string, ProviderBehaviour>>;

export const mapChannels = <Value>(of: (channel: ProviderChannel) => Value) =>
  Object.fromEntries(PROVIDER_CHANNELS.map((name) => [name, of(name)])) as Record<
    ProviderChannel,
    Value
  >;

/** `lags`: the list shows a message of unknown outcome at the earliest a minute after it was sent. */
const PROVIDER_LIST_BEHAVIOURS = ["prompt", "lags", "refuses"] as const;
/** Moments of a crash: before or after the worker records that it sends, or after the provider has the message. */
export const CRASH_POINTS = ["before the record", "after the record", "after the send"] as const;

export type BehaviourNames = {
  [Name in ProviderChannel]: keyof (typeof PROVIDER_BEHAVIOURS)[Name];
} & { list: (typeof PROVIDER_LIST_BEHAVIOURS)[number] };

export const isLongApplication = (message: MessageContent) =>
  "application" in message && message.application.application.message.length > 100;

export interface HistorySettings {
  recipients: Record<ProviderChannel, number>;
  caps: { hourly: number; daily: number };
}

const anyCaps = fc.constantFrom({ hourly: 30, daily: 100 }, { hourly: 8, daily: 12 });
const atMostTwo = fc.integer({ min: 0, max: 2 });
const fromOneToTwo = fc.integer({ min: 1, max: 2 });
const none = fc.constant(0);
const settingsWith = (countOf: (channel: ProviderChannel) => fc.Arbitrary<number>) =>
  fc.record({ recipients: fc.record(mapChannels(countOf)), caps: anyCaps });
const anySettings = settingsWith(() => atMostTwo);
export const settingsWithAllChannels = settingsWith(() => fromOneToTwo);
export const settingsWithAtMostOneChannel = fc.oneof(
  ...PROVIDER_CHANNELS.map((only) => ({
    weight: 4,
    arbitrary: settingsWith((name) => (name === only ? fromOneToTwo : none)),
  })),
  settingsWith(() => none),
);

const anyApply = fc.record({
  do: fc.constant("apply" as const),
  route: fc.constantFrom("sms" as const, "mail" as const),
  isSuspicious: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
  isLong: fc.boolean(),
});
const anyPassOfTime = fc.record({
  do: fc.constant("pass" as const),
  ms: fc.constantFrom(6_000, MINUTE, 4 * MINUTE, 18 * MINUTE, HOUR),
});
const anyBehaviour = Object.fromEntries(
  PROVIDER_CHANNELS.map((name) => [
    name,
    fc.constantFrom(...Object.keys(PROVIDER_BEHAVIOURS[name])),
  ]),
) as { [Name in ProviderChannel]: fc.Arbitrary<BehaviourNames[Name]> };
const anyProviderBehaviour: fc.Arbitrary<Partial<BehaviourNames>> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record(anyBehaviour),
  },
  { weight: 3, arbitrary: fc.record({ list: fc.constantFrom(...PROVIDER_LIST_BEHAVIOURS) }) },
  // One channel may fail while the other one works.
  ...PROVIDER_CHANNELS.map((name) => ({
    weight: 2,
    arbitrary: anyBehaviour[name].map((own) => ({
      ...mapChannels(() => "works" as const),
      [name]: own,
    })),
  })),
  // All channels fail together when the site's own network is down.
  fc.constant(mapChannels(() => "no network" as const)),
  fc.constant(mapChannels(() => "works" as const)),
);

const anyAction = fc.oneof(
  { weight: 4, arbitrary: anyApply },
  { weight: 5, arbitrary: anyPassOfTime },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("providers" as const),
      providers: anyProviderBehaviour,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("crash" as const),
      crashPoint: fc.constantFrom(...CRASH_POINTS),
    }),
  },
  fc.record({ do: fc.constant("restart" as const), settings: anySettings }),
  fc.record({
    do: fc.constant("set the clock" as const),
    by: fc.constantFrom(-HOUR, HOUR, -365 * DAY, 365 * DAY),
  }),
  fc.record({ do: fc.constant("resend" as const), which: fc.nat(4), again: fc.boolean() }),
  // Makes failed messages look as if they were about to be given up.
  fc.constant({ do: "age retries" as const }),
  fc.constant({ do: "resume stalled sends" as const }),
);
export type HistoryAction = typeof anyAction extends fc.Arbitrary<infer Made> ? Made : never;

/** Every history has an application, because nothing is sent without an application. */
export const anyHistory = fc
  .array(anyAction, { minLength: 2, maxLength: 7 })
  .filter((history) => history.some((each) => each.do === "apply"));
