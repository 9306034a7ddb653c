/** The random actions of which a history of the delivery consists. */
import fc from "fast-check";
import { DAY, HOUR, MINUTE } from "#lib/application/durations.ts";
import { CHANNEL_NAMES, type ChannelName } from "#lib/channels/names.ts";
import {
  type BehaviourNames,
  CRASH_POINTS,
  mapChannels,
  PROVIDER_BEHAVIOURS,
  PROVIDER_LIST_BEHAVIOURS,
} from "#testing/delivery/provider-behaviour.ts";

export interface HistorySettings {
  recipients: Record<ChannelName, number>;
  caps: { hourly: number; daily: number };
}

const caps = fc.constantFrom({ hourly: 30, daily: 100 }, { hourly: 8, daily: 12 });
const atMostTwo = fc.integer({ min: 0, max: 2 });
const fromOneToTwo = fc.integer({ min: 1, max: 2 });
const none = fc.constant(0);
const settingsWith = (countOf: (channel: ChannelName) => fc.Arbitrary<number>) =>
  fc.record({ recipients: fc.record(mapChannels(countOf)), caps });
const settings = settingsWith(() => atMostTwo);
export const settingsWithAllChannels = settingsWith(() => fromOneToTwo);
export const settingsWithAtMostOneChannel = fc.oneof(
  ...CHANNEL_NAMES.map((only) => ({
    weight: 4,
    arbitrary: settingsWith((name) => (name === only ? fromOneToTwo : none)),
  })),
  settingsWith(() => none),
);

const apply = fc.record({
  do: fc.constant("apply" as const),
  route: fc.constantFrom("sms" as const, "mail" as const),
  suspicious: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
  long: fc.boolean(),
});
const pass = fc.record({
  do: fc.constant("pass" as const),
  ms: fc.constantFrom(6_000, MINUTE, 4 * MINUTE, 18 * MINUTE, HOUR),
});
const behaviours = Object.fromEntries(
  CHANNEL_NAMES.map((name) => [name, fc.constantFrom(...Object.keys(PROVIDER_BEHAVIOURS[name]))]),
) as { [Name in ChannelName]: fc.Arbitrary<BehaviourNames[Name]> };
const providers: fc.Arbitrary<Partial<BehaviourNames>> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record(behaviours),
  },
  { weight: 3, arbitrary: fc.record({ list: fc.constantFrom(...PROVIDER_LIST_BEHAVIOURS) }) },
  // One channel fails while the other one works.
  ...CHANNEL_NAMES.map((name) => ({
    weight: 2,
    arbitrary: behaviours[name].map((own) => ({
      ...mapChannels(() => "works" as const),
      [name]: own,
    })),
  })),
  // All channels fail together when the site's own network is down.
  fc.constant(mapChannels(() => "no network" as const)),
  fc.constant(mapChannels(() => "works" as const)),
);

const action = fc.oneof(
  { weight: 4, arbitrary: apply },
  { weight: 5, arbitrary: pass },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("providers" as const), providers }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("crash" as const),
      crashPoint: fc.constantFrom(...CRASH_POINTS),
    }),
  },
  fc.record({ do: fc.constant("restart" as const), settings }),
  fc.record({
    do: fc.constant("set the clock" as const),
    by: fc.constantFrom(-HOUR, HOUR, -365 * DAY, 365 * DAY),
  }),
  fc.record({ do: fc.constant("resend" as const), which: fc.nat(4), again: fc.boolean() }),
  // Makes failed messages look as if they had been retried for almost five days.
  fc.constant({ do: "age retries" as const }),
  fc.constant({ do: "resume stalled sends" as const }),
);
export type HistoryAction = typeof action extends fc.Arbitrary<infer Made> ? Made : never;

/** Every history has an application, because nothing is sent without an application. */
export const histories = fc
  .array(action, { minLength: 2, maxLength: 7 })
  .filter((history) => history.some((each) => each.do === "apply"));
