/** Random actions of a history of a delivery engine. */
import fc from "fast-check";
import { DAY, HOUR, MINUTE } from "#lib/application/durations.ts";
import { BEHAVIOURS, CRASH_POINTS, LIST_BEHAVIOURS } from "#testing/delivery/provider-behaviour.ts";

export interface Settings {
  numbers: number;
  addresses: number;
  caps: { hourly: number; daily: number };
}

const caps = fc.constantFrom({ hourly: 30, daily: 100 }, { hourly: 8, daily: 12 });
const atMostTwo = fc.integer({ min: 0, max: 2 });
const fromOneToTwo = fc.integer({ min: 1, max: 2 });
const none = fc.constant(0);
const settings = fc.record({ numbers: atMostTwo, addresses: atMostTwo, caps });
export const bothChannels = fc.record({ numbers: fromOneToTwo, addresses: fromOneToTwo, caps });
/** Settings with one channel or none. */
export const oneChannel = fc.oneof(
  { weight: 4, arbitrary: fc.record({ numbers: fromOneToTwo, addresses: none, caps }) },
  { weight: 3, arbitrary: fc.record({ numbers: none, addresses: fromOneToTwo, caps }) },
  fc.record({ numbers: none, addresses: none, caps }),
);

const apply = fc.record({
  do: fc.constant("apply" as const),
  route: fc.constantFrom("sms" as const, "mail" as const),
  suspicious: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
  long: fc.boolean(),
});
const pass = fc.record({
  do: fc.constant("pass" as const),
  ms: fc.constantFrom(6_000, MINUTE, 4 * MINUTE, 16 * MINUTE, HOUR),
});
const namesOf = <Names extends object>(behaviours: Names) =>
  fc.constantFrom(...(Object.keys(behaviours) as (keyof Names)[]));
const providers = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ sms: namesOf(BEHAVIOURS.sms), mail: namesOf(BEHAVIOURS.mail) }),
  },
  { weight: 3, arbitrary: fc.record({ list: fc.constantFrom(...LIST_BEHAVIOURS) }) },
  // Our own network fails, and returns.
  fc.constant({ sms: "no network" as const, mail: "no network" as const }),
  fc.constant({ sms: "works" as const, mail: "works" as const }),
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
  // The action makes failed jobs look as if they had been retried for almost five days.
  fc.constant({ do: "age retries" as const }),
  fc.constant({ do: "resume stalled sends" as const }),
);
export type Action = typeof action extends fc.Arbitrary<infer Made> ? Made : never;

export const actions = fc.array(action, { minLength: 2, maxLength: 7 });
