import { expect, test } from "vitest";
import { HOUR, MINUTE, SECOND } from "#lib/application/durations.ts";
import { type DeliveryState, MAX_COPIES, nextAction } from "#lib/delivery/next-action.ts";
import {
  CHANNEL_HANGING_AFTER,
  FAILOVER_AFTER,
  LATER_PAUSE,
  nextCheckAt,
  nextSmsSearchAt,
  REPEAT_MAIL_AFTER,
  repeatMailAt,
  retryAfterRejectionAt,
} from "#lib/delivery/retry.ts";
import type { Attempt } from "#lib/storage/queries/attempts.ts";
import {
  BASE_STATE,
  createAttemptMaker,
  MAILBOX,
  NOW,
  PHONE_A,
  PHONE_B,
} from "#testing/delivery/attempts.ts";

type Begin = ReturnType<typeof createAttemptMaker>;
const taken = { segments: 1 };
/** Attempts that put a recipient into each status. */
const COMMON: Record<string, (to: Begin) => Attempt[]> = {
  none: () => [],
  sending: (to) => [to("sending", 2)],
  unknown: (to) => [to("unknown", 2)],
  "not-sent": (to) => [to("not-sent", 2)],
  delivered: (to) => [to("delivered", 2)],
  rejected: (to) => [to("rejected", 2)],
};
/** A text message has more statuses, because Twilio reports the delivery only after it has accepted the message. */
const STATUSES = {
  sms: {
    ...COMMON,
    accepted: (to: Begin) => [to("accepted", 2)],
    "phone off": (to: Begin) => [to("rejected", 2, taken)],
    "two copies": (to: Begin) => [to("rejected", 40, taken), to("rejected", 2, taken)],
  },
  mail: { ...COMMON, "two copies": (to: Begin) => [to("unknown", 40), to("unknown", 20)] },
};
const statusesOf = (recipient: string) =>
  Object.entries(STATUSES[recipient.includes("@") ? "mail" : "sms"]).map(
    ([status, attempts]) => [status, attempts(createAttemptMaker(recipient))] as const,
  );

const BEGAN = NOW - 2 * MINUTE;
/** Names of the times until which a job can wait. */
const TIMES: [name: string, at: number | undefined][] = [
  ["retry", NOW + 5 * SECOND],
  ["check", nextSmsSearchAt(BEGAN, 0, NOW)],
  ["check", nextSmsSearchAt(NOW, NOW, NOW)],
  ["check", nextCheckAt(BEGAN, NOW)],
  ["other", BEGAN + FAILOVER_AFTER],
  ["other", repeatMailAt(BEGAN, NOW)],
  ["mended", retryAfterRejectionAt(BEGAN + SECOND, NOW, false)],
  ["phone on", retryAfterRejectionAt(BEGAN + SECOND, NOW, true)],
  ["hour", NOW + HOUR],
];
const nameOfTime = (until: number) => TIMES.find(([, at]) => at === until)?.[0] ?? until - NOW;

function describeAction(state: DeliveryState): string {
  const action = nextAction(state);
  if (action.do === "wait") return `wait ${nameOfTime(action.until)}`;
  if (action.do !== "send") return action.do;
  return `${action.channel} ${action.recipients.map((to) => to.slice(-4))}`;
}

/** A table of the next action for every status of one recipient and every status of another. */
function actionTable(one: string, other: string, changes: Partial<DeliveryState> = {}): string[] {
  return statusesOf(one).map(([row, toOne]) => {
    const cells = statusesOf(other).map(([, toOther]) =>
      describeAction({ ...BASE_STATE, attempts: [...toOne, ...toOther], ...changes }),
    );
    return `${row}: ${cells.join(" | ")}`;
  });
}
const onSms = { channels: ["sms"], recipients: { sms: [PHONE_A, PHONE_B] } } as const;
const mailFirst = { channels: ["mail", "sms"] } as const;
const checked = { hasActed: true, isTryDue: false, retryAt: NOW + 5 * SECOND };

test("every pair of statuses of a text and its failover mail has an action", () => {
  expect(actionTable(PHONE_A, MAILBOX)).toMatchInlineSnapshot(`
    [
      "none: sms 0000 | sms 0000 | sms 0000 | sms 0000 | finish | sms 0000 | sms 0000",
      "sending: check-status | check-status | check-status | check-status | check-status | check-status | check-status",
      "unknown: check-status | check-status | check-status | check-status | check-status | check-status | check-status",
      "not-sent: sms 0000 | sms 0000 | sms 0000 | sms 0000 | finish | sms 0000 | sms 0000",
      "delivered: finish | finish | finish | finish | finish | finish | finish",
      "rejected: mail r.kr | wait other | wait other | mail r.kr | finish | wait other | wait other",
      "accepted: check-status | check-status | check-status | check-status | check-status | check-status | check-status",
      "phone off: mail r.kr | wait other | wait other | mail r.kr | finish | wait other | wait other",
      "two copies: mail r.kr | wait other | wait other | mail r.kr | finish | wait mended | give-up",
    ]
  `);
});

test("every pair of statuses of a checked text and its failover mail has an action", () => {
  expect(actionTable(PHONE_A, MAILBOX, checked)).toMatchInlineSnapshot(`
    [
      "none: sms 0000 | sms 0000 | sms 0000 | sms 0000 | finish | sms 0000 | sms 0000",
      "sending: wait check | wait check | wait check | wait retry | finish | wait check | wait check",
      "unknown: wait check | wait check | wait check | wait retry | finish | wait check | wait check",
      "not-sent: wait retry | wait retry | wait retry | wait retry | finish | wait retry | wait retry",
      "delivered: finish | finish | finish | finish | finish | finish | finish",
      "rejected: mail r.kr | wait other | wait other | wait retry | finish | wait other | wait other",
      "accepted: wait check | wait check | wait check | wait check | wait check | wait check | wait check",
      "phone off: mail r.kr | wait other | wait other | wait retry | finish | wait other | wait other",
      "two copies: mail r.kr | wait other | wait other | wait retry | finish | wait mended | give-up",
    ]
  `);
});

test("every pair of statuses of a mail and its failover text has an action", () => {
  expect(actionTable(MAILBOX, PHONE_A, { ...mailFirst, ...checked })).toMatchInlineSnapshot(`
    [
      "none: mail r.kr | mail r.kr | mail r.kr | mail r.kr | finish | mail r.kr | wait check | mail r.kr | mail r.kr",
      "sending: wait other | wait check | wait check | wait retry | finish | wait other | wait check | wait other | wait other",
      "unknown: wait other | wait check | wait check | wait retry | finish | wait other | wait check | wait other | wait other",
      "not-sent: wait retry | wait retry | wait retry | wait retry | finish | wait retry | wait check | wait retry | wait retry",
      "delivered: finish | finish | finish | finish | finish | finish | wait check | finish | finish",
      "rejected: sms 0000 | wait check | wait check | wait retry | finish | wait other | wait check | wait other | wait other",
      "two copies: sms 0000 | wait check | wait check | wait retry | finish | wait mended | wait check | wait phone on | give-up",
    ]
  `);
});

test("every pair of statuses of two texts has an action if mail is not configured", () => {
  expect(actionTable(PHONE_A, PHONE_B, { ...onSms, ...checked })).toMatchInlineSnapshot(`
    [
      "none: sms 0000,0000 | sms 0000 | sms 0000 | sms 0000 | finish | sms 0000 | wait check | sms 0000 | sms 0000",
      "sending: sms 0000 | wait check | wait check | wait retry | wait check | wait check | wait check | wait check | wait check",
      "unknown: sms 0000 | wait check | wait check | wait retry | wait check | wait check | wait check | wait check | wait check",
      "not-sent: sms 0000 | wait retry | wait retry | wait retry | wait retry | wait retry | wait retry | wait retry | wait retry",
      "delivered: finish | wait check | wait check | wait retry | finish | finish | wait check | finish | finish",
      "rejected: sms 0000 | wait check | wait check | wait retry | finish | wait mended | wait check | wait mended | wait mended",
      "accepted: wait check | wait check | wait check | wait retry | wait check | wait check | wait check | wait check | wait check",
      "phone off: sms 0000 | wait check | wait check | wait retry | finish | wait mended | wait check | wait phone on | wait phone on",
      "two copies: sms 0000 | wait check | wait check | wait retry | finish | wait mended | wait check | wait phone on | give-up",
    ]
  `);
});

const [a, b, one] = [
  createAttemptMaker(PHONE_A),
  createAttemptMaker(PHONE_B),
  createAttemptMaker(MAILBOX),
];
const twoPhones = { recipients: { sms: [PHONE_A, PHONE_B], mail: [MAILBOX] } };
const smsAlone = { channels: ["sms"], recipients: { sms: [PHONE_A] } } as const;
const mailAlone = { channels: ["mail"], recipients: { mail: [MAILBOX] } } as const;
const FAILS = FAILOVER_AFTER / MINUTE;
const hung = { endedAt: NOW - FAILOVER_AFTER + CHANNEL_HANGING_AFTER };
const early = { isTryDue: false, retryAt: NOW + MINUTE };
const full = { tried: new Set(["sms"] as const), capAt: NOW + HOUR };
const busy = { recovered: true, notBefore: NOW + HOUR };
const laterAlone = { ...smsAlone, ...early, retryAt: NOW + HOUR };
const jumped = { ...smsAlone, ...checked, steadySince: NOW };
const fullText = one("delivered", 1, { jobId: 2 });
const gone = createAttemptMaker("+821099998888");
const ONE_WAITS = [a("delivered", 1), b("not-sent", 1)];
const ONE_REFUSED = [a("delivered", 1), b("rejected", 1)];
const [A_YEAR, LATER] = [525_600, LATER_PAUSE / MINUTE];
const REPEAT = REPEAT_MAIL_AFTER / MINUTE;

type Row = [what: string, action: string, attempts: Attempt[], state?: Partial<DeliveryState>];
const STATES: Row[] = [
  ["nothing is configured", "write-file", [], { channels: [] }],
  ["nothing was begun", "sms 0000", []],
  ["a text that was not there at a check is repeated", "sms 0000", [a("not-sent", 6)]],
  ["a channel failed for long", "mail r.kr", [a("not-sent", FAILS)], early],
  ["a channel hung", "mail r.kr", [a("not-sent", FAILS, hung)]],
  ["others failed for long", "mail r.kr", [a("not-sent")], { ...early, blockedSince: NOW - HOUR }],
  ["a channel works again", "sms 0000", [a("not-sent", 1, { recovered: true })], early],
  ["a channel that works again named a time", "wait hour", [a("not-sent", 1, busy)], laterAlone],
  ["a rejection is over", "sms 0000", [a("rejected", LATER)], smsAlone],
  ["the recipient who waits left the settings", "finish", ONE_WAITS, early],
  ["the recipient in doubt left the settings", "sms 0000", [b("unknown", 2)]],
  ["the channel that has it left the settings", "finish", [a("accepted", 1)], mailAlone],
  ["a number was added since", "finish", [a("delivered", 60)], twoPhones],
  ["a number was added while one waits", "sms 0000", [gone("delivered"), a("not-sent")], twoPhones],
  ["a mail may be out for long", "mail r.kr", [one("unknown", REPEAT)], { ...mailAlone, ...early }],
  ["the clock was set back a year", "mail r.kr", [one("unknown", -A_YEAR)], mailAlone],
  ["the clock was set a year ahead", "wait check", [a("unknown", A_YEAR)], jumped],
  ["no try is left", "give-up", [a("not-sent")], { ...smsAlone, isExhausted: true }],
  ["no try is left and one phone has it", "finish", ONE_WAITS, { ...onSms, isExhausted: true }],
  ["the caps are full", "wait hour", [], { ...smsAlone, ...full }],
  ["the caps are full and there is mail", "mail r.kr", [], full],
  ["an alarm may be out", "finish", [a("unknown", 60)], { mayRepeat: false }],
  ["the full text is mailed, and a phone waits", "sms 0000", [...ONE_WAITS, fullText], twoPhones],
  ["the full text is mailed, a phone refused", "finish", [...ONE_REFUSED, fullText], twoPhones],
];
test.each(STATES)("the next action if %s is: %s", (_what, action, attempts, state = {}) => {
  expect(describeAction({ ...BASE_STATE, attempts, ...state })).toBe(action);
});

const [no, yes] = [false, true];
const SETTINGS: Partial<DeliveryState>[] = [
  twoPhones,
  { ...twoPhones, channels: ["mail", "sms"] },
  onSms,
  mailAlone,
];
function everyState(attempts: Attempt[]): DeliveryState[] {
  return SETTINGS.flatMap((setting) =>
    [no, yes].flatMap((isTryDue) =>
      [no, yes].flatMap((isExhausted) =>
        [no, yes].flatMap((mayRepeat) =>
          [no, yes].map((hasActed) => ({
            ...{ ...BASE_STATE, attempts, ...setting, isTryDue, isExhausted, mayRepeat, hasActed },
            retryAt: isTryDue && !hasActed ? NOW : NOW + MINUTE,
          })),
        ),
      ),
    ),
  );
}

const isOut = ({ outcome }: Attempt) => !["not-sent", "rejected"].includes(outcome);
const hasIt = ({ outcome }: Attempt) => outcome === "accepted" || outcome === "delivered";

/** The invariant that the next action breaks; undefined if it breaks none. */
function findViolation(state: DeliveryState): string | undefined {
  const { attempts, mayRepeat, channels, recipients } = state;
  const action = nextAction(state);
  const reached = attempts.some((each) => hasIt(each) || (!mayRepeat && isOut(each)));
  if (action.do === "finish" && !reached) return "finishes and nobody has it";
  if (action.do === "give-up" && reached) return "gives up and somebody has it";
  if (action.do === "wait" && !(action.until > NOW)) return "waits for nothing";
  if (action.do === "check-status" && state.hasActed) return "checks twice";
  if (action.do !== "send") return undefined;
  const { channel } = action;
  if (!channels.includes(channel)) return "sends by a channel that is not set";
  for (const to of action.recipients) {
    const own = attempts.filter(({ recipient }) => recipient === to);
    const last = own.at(-1);
    if (!recipients[channel]?.includes(to)) return "sends to somebody who is not set";
    if (own.filter((each) => isOut(each) || each.segments > 0).length >= MAX_COPIES)
      return "sends a third copy";
    if (last && hasIt(last)) return "sends to somebody who has it";
    if (last && isOut(last) && (channel === "sms" || !mayRepeat)) return "repeats what may be out";
  }
  return undefined;
}

test("no next action for two phones and an address breaks an invariant", () => {
  let states = 0;
  for (const [first, toA] of statusesOf(PHONE_A))
    for (const [second, toB] of statusesOf(PHONE_B))
      for (const [third, toOne] of statusesOf(MAILBOX))
        for (const state of everyState([...toA, ...toB, ...toOne])) {
          states += 1;
          const violation = findViolation(state);
          if (violation) expect.fail(`${violation}: ${first}, ${second}, ${third}`);
        }
  expect(states).toBe(9 * 9 * 7 * SETTINGS.length * 16);
});
