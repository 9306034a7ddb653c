import { expect, test } from "vitest";
import { MINUTE, SECOND } from "#lib/application/durations.ts";
import type { ChannelName } from "#lib/channels/names.ts";
import { type DeliveryState, nextAction } from "#lib/delivery/next-action.ts";
import type { Attempt } from "#lib/storage/queries/attempts.ts";
import type { AttemptOutcome } from "#lib/storage/tables.ts";

const NOW = Date.parse("2026-12-01T09:30:00+09:00");
const [A, B, ONE] = ["+821011110000", "+821022220000", "one@owner.kr"];

/** Attempts of one recipient, each an outcome with the minutes since it was begun; ` paid`: the provider had taken it. */
const STATUSES = {
  none: [],
  sending: ["sending 2"],
  unknown: ["unknown 2"],
  "not-sent": ["not-sent 2"],
  accepted: ["accepted 2"],
  delivered: ["delivered 2"],
  rejected: ["rejected 2"],
  "phone off": ["rejected 2 paid"],
  "two copies": ["unknown 40", "rejected 2 paid"],
} as const satisfies Record<string, readonly `${AttemptOutcome} ${string}`[]>;
type Status = keyof typeof STATUSES;
const ALL = Object.keys(STATUSES) as Status[];

let lastId = 0;
function attemptsOf(status: Status, channel: ChannelName, recipient: string): Attempt[] {
  return STATUSES[status].map((written) => {
    const [outcome, minutes, paid] = written.split(" ");
    const begunAt = NOW - Number(minutes) * MINUTE;
    const left = !["not-sent", "rejected"].includes(outcome ?? "") || paid === "paid";
    return {
      ...{
        id: ++lastId,
        jobId: 1,
        channel,
        recipient,
        outcome: outcome as AttemptOutcome,
        begunAt,
      },
      ...{ segments: channel === "sms" && left ? 1 : 0, recovered: false },
      endedAt: outcome === "sending" ? undefined : begunAt + SECOND,
      ...{ about: undefined, error: undefined, advice: undefined },
      ...{ notBefore: undefined, providerId: undefined },
    };
  });
}

const usual: DeliveryState = {
  ...{ channels: ["sms", "mail"], recipients: { sms: [A], mail: [ONE] }, attempts: [], now: NOW },
  ...{ retryAt: NOW, isTryDue: true, isExhausted: false, mayRepeat: true, isChecked: false },
  ...{ tried: new Set(), failingSince: undefined, slotAt: undefined, capAt: undefined },
};

/** The action in a word, with its recipients where some are left out. */
function actionOf(state: DeliveryState): string {
  const action = nextAction(state);
  if (action.do === "wait") {
    expect(action.until).toBeGreaterThan(NOW);
    return `wait ${Math.round((action.until - NOW) / MINUTE)}`;
  }
  if (action.do === "send")
    return `${action.channel} ${action.recipients.map((to) => to.slice(-4))}`;
  return action.do;
}

/** A table of every status of one recipient against every status of another. */
function table(
  [first, ...firstTo]: readonly [ChannelName, string],
  [second, ...secondTo]: readonly [ChannelName, string],
  changes: Partial<DeliveryState> = {},
): string[] {
  return ALL.map((row) => {
    const cells = ALL.map((column) => {
      const attempts = [
        ...attemptsOf(row, first, firstTo[0] ?? ""),
        ...attemptsOf(column, second, secondTo[0] ?? ""),
      ].toSorted((one, other) => one.begunAt - other.begunAt);
      return actionOf({ ...usual, attempts, ...changes });
    });
    return `${row}: ${cells.join(" | ")}`;
  });
}
const onSms = { channels: ["sms"], recipients: { sms: [A, B] } } as const;
const mailFirst = { channels: ["mail", "sms"] } as const;
const checked = { isChecked: true, isTryDue: false, retryAt: NOW + 5 * SECOND };

test("a text and its failover have an action for every pair of statuses", () => {
  expect(table(["sms", A], ["mail", ONE])).toMatchInlineSnapshot(`
    [
      "none: sms 0000 | sms 0000 | sms 0000 | sms 0000 | check-status | finish | sms 0000 | sms 0000 | sms 0000",
      "sending: check-status | check-status | check-status | check-status | check-status | check-status | check-status | check-status | check-status",
      "unknown: check-status | check-status | check-status | check-status | check-status | check-status | check-status | check-status | check-status",
      "not-sent: sms 0000 | sms 0000 | sms 0000 | sms 0000 | check-status | finish | sms 0000 | sms 0000 | sms 0000",
      "accepted: check-status | check-status | check-status | check-status | check-status | check-status | check-status | check-status | check-status",
      "delivered: finish | finish | finish | finish | check-status | finish | finish | finish | finish",
      "rejected: mail r.kr | wait 13 | wait 13 | mail r.kr | check-status | finish | wait 13 | wait 13 | wait 13",
      "phone off: mail r.kr | wait 13 | wait 13 | mail r.kr | check-status | finish | wait 13 | wait 13 | wait 13",
      "two copies: mail r.kr | wait 13 | wait 13 | mail r.kr | check-status | finish | wait 27 | wait 27 | wait 27",
    ]
  `);
});

test("a text and its failover go on after a status check for every pair", () => {
  expect(table(["sms", A], ["mail", ONE], checked)).toMatchInlineSnapshot(`
    [
      "none: sms 0000 | sms 0000 | sms 0000 | sms 0000 | wait 1 | finish | sms 0000 | sms 0000 | sms 0000",
      "sending: wait 1 | wait 1 | wait 1 | wait 0 | wait 1 | finish | wait 1 | wait 1 | wait 1",
      "unknown: wait 1 | wait 1 | wait 1 | wait 0 | wait 1 | finish | wait 1 | wait 1 | wait 1",
      "not-sent: wait 0 | wait 0 | wait 0 | wait 0 | wait 1 | finish | wait 0 | wait 0 | wait 0",
      "accepted: wait 1 | wait 1 | wait 1 | wait 1 | wait 1 | wait 1 | wait 1 | wait 1 | wait 1",
      "delivered: finish | finish | finish | finish | wait 1 | finish | finish | finish | finish",
      "rejected: mail r.kr | wait 13 | wait 13 | wait 0 | wait 1 | finish | wait 13 | wait 13 | wait 13",
      "phone off: mail r.kr | wait 13 | wait 13 | wait 0 | wait 1 | finish | wait 13 | wait 13 | wait 13",
      "two copies: mail r.kr | wait 13 | wait 13 | wait 0 | wait 1 | finish | wait 27 | wait 27 | wait 27",
    ]
  `);
});

test("a mail and its failover have an action for every pair of statuses", () => {
  expect(table(["mail", ONE], ["sms", A], { ...mailFirst, ...checked })).toMatchInlineSnapshot(`
    [
      "none: mail r.kr | mail r.kr | mail r.kr | mail r.kr | wait 1 | finish | mail r.kr | mail r.kr | mail r.kr",
      "sending: wait 13 | wait 1 | wait 1 | wait 0 | wait 1 | finish | wait 13 | wait 13 | wait 13",
      "unknown: wait 13 | wait 1 | wait 1 | wait 0 | wait 1 | finish | wait 13 | wait 13 | wait 13",
      "not-sent: wait 0 | wait 0 | wait 0 | wait 0 | wait 1 | finish | wait 0 | wait 0 | wait 0",
      "accepted: wait 1 | wait 1 | wait 1 | wait 1 | wait 1 | wait 1 | wait 1 | wait 1 | wait 1",
      "delivered: finish | finish | finish | finish | wait 1 | finish | finish | finish | finish",
      "rejected: sms 0000 | wait 1 | wait 1 | wait 0 | wait 1 | finish | wait 13 | wait 13 | wait 13",
      "phone off: sms 0000 | wait 1 | wait 1 | wait 0 | wait 1 | finish | wait 13 | wait 13 | wait 13",
      "two copies: sms 0000 | wait 1 | wait 1 | wait 0 | wait 1 | finish | wait 27 | wait 27 | wait 27",
    ]
  `);
});

test("two numbers without mail have an action for every pair of statuses", () => {
  expect(table(["sms", A], ["sms", B], { ...onSms, ...checked })).toMatchInlineSnapshot(`
    [
      "none: sms 0000,0000 | sms 0000 | sms 0000 | sms 0000 | wait 1 | finish | sms 0000 | sms 0000 | sms 0000",
      "sending: sms 0000 | wait 1 | wait 1 | wait 0 | wait 1 | wait 1 | wait 1 | wait 1 | wait 1",
      "unknown: sms 0000 | wait 1 | wait 1 | wait 0 | wait 1 | wait 1 | wait 1 | wait 1 | wait 1",
      "not-sent: sms 0000 | wait 0 | wait 0 | wait 0 | wait 0 | wait 0 | wait 0 | wait 0 | wait 0",
      "accepted: wait 1 | wait 1 | wait 1 | wait 0 | wait 1 | wait 1 | wait 1 | wait 1 | wait 1",
      "delivered: finish | wait 1 | wait 1 | wait 0 | wait 1 | finish | finish | finish | finish",
      "rejected: sms 0000 | wait 1 | wait 1 | wait 0 | wait 1 | finish | wait 27 | wait 27 | wait 27",
      "phone off: sms 0000 | wait 1 | wait 1 | wait 0 | wait 1 | finish | wait 27 | wait 358 | wait 358",
      "two copies: sms 0000 | wait 1 | wait 1 | wait 0 | wait 1 | finish | wait 27 | wait 358 | give-up",
    ]
  `);
});
