import { expect, test } from "vitest";
import { type Action, type Case, decide } from "#lib/delivery/decide.ts";
import type { Send } from "#lib/storage/queries/sends.ts";
import { MINUTE, SECOND } from "#testing/durations.ts";

/** In minutes, as every time in the table. */
const HOUR = 60;
const NOW = Date.parse("2026-12-01T09:30:00+09:00");
const [A, B, ONE] = ["+821011110000", "+821022220000", "one@owner.kr"];
const [ADDED, TWO] = ["+821033330000", "two@owner.kr"];

/** A send of so many minutes ago. Each has a later number than the one before it. */
let count = 0;
const sent =
  (recipient: string) =>
  (outcome: Send["outcome"], minutesAgo = 0, changes: Partial<Send> = {}): Send => {
    const at = NOW - minutesAgo * MINUTE;
    const failed = outcome === "refused" || outcome === "unsent";
    const isText = !recipient.includes("@");
    count += 1;
    return {
      ...{ id: count, jobId: 1, recipient, outcome, carrier: isText ? "sms" : "mail" },
      ...{ begunAt: at, endedAt: at, mended: false, about: failed ? "channel" : undefined },
      ...{ error: undefined, advice: undefined, notBefore: undefined, providerId: undefined },
      segments: isText && !failed ? 2 : 0,
      ...changes,
    };
  };
const [a, b, one] = [sent(A), sent(B), sent(ONE)];
/** It may turn up yet, and is paid for. */
const lost = () => a("unsent", 6, { segments: 2 });
const hung = a("unsent", 15, { endedAt: NOW - 5 * MINUTE });
const mended = a("unsent", 1, { mended: true });
const later = a("unsent", 1, { mended: true, notBefore: NOW + HOUR * MINUTE });
const ahead = one("unknown", -365 * 24 * HOUR);
const mailedTwice = [one("unknown", HOUR), one("unknown", HOUR)];

const usual: Case = {
  ...{ order: ["sms", "mail"], recipients: { sms: [A], mail: [ONE] }, sends: [], now: NOW },
  ...{ retryAt: NOW, due: true, exhausted: false, mayRepeat: true, asked: false },
  ...{ tried: new Set(), failingSince: undefined, roomAt: undefined },
  ...{ shortened: false, yields: false },
};
const smsOnly = { order: ["sms"], recipients: { sms: [A] } } as const;
const mailOnly = { order: ["mail"], recipients: { mail: [ONE] } } as const;
const twoNumbers = { recipients: { sms: [A, B], mail: [ONE] } };
const twoTexts = { ...twoNumbers, order: ["sms"] } as const;
const twoMails = { ...mailOnly, recipients: { mail: [ONE, TWO] } };
const withAdded = { recipients: { sms: [A, B, ADDED] } };
const tried = { due: true, tried: new Set(["sms"] as const), retryAt: NOW + 5 * SECOND };
const early = { due: false };
const inAMinute = { due: false, retryAt: NOW + MINUTE };
const inAnHour = { due: false, retryAt: NOW + HOUR * MINUTE };
const failedForLong = { ...tried, failingSince: NOW - HOUR * MINUTE };
const capped = { ...smsOnly, tried: tried.tried, roomAt: NOW + HOUR * MINUTE };

const text = (...recipients: string[]) => ({ do: "send", carrier: "sms", recipients });
const mail = (...recipients: string[]) => ({ do: "send", carrier: "mail", recipients });
const wait = (minutes: number) => ({ do: "wait", until: NOW + minutes * MINUTE });
const [ask, done, giveUp] = [{ do: "ask" }, { do: "done" }, { do: "give-up" }];

const whole = { ...mail(ONE), whole: true };
const ONE_OF_TWO = [a("delivered"), b("refused")];
const ONE_WAITS = [a("delivered", 1), b("unsent", 1)];
const TWO_LACKS = [a("delivered", HOUR), one("delivered", HOUR), sent(TWO)("refused", HOUR)];
const WHOLE_WAITS = [a("delivered", HOUR), one("unsent")];
const CASES: [what: string, known: Partial<Case>, action: object][] = [
  ["nothing is configured", { order: [] }, { do: "file" }],
  ["nothing was begun", {}, text(A)],
  ["a number is named beside another", twoNumbers, text(A, B)],
  ["Twilio has it, just now", { sends: [a("accepted")], asked: true }, wait(1 / 12)],
  ["Twilio has it, and can be asked", { sends: [a("accepted", 1 / 12)] }, ask],
  ["it is there", { sends: [a("delivered")] }, done],
  ["it may be out, just now", { sends: [a("unknown")], ...tried }, wait(1)],
  ["it may be out, and can be looked for", { sends: [a("unknown", 1)] }, ask],
  ["it was not there at the first look", { sends: [a("unknown", 1)], asked: true }, wait(2)],
  ["it was never there: a second text", { sends: [lost()] }, text(A)],
  ["two texts may be out", { sends: [lost(), lost()] }, mail(ONE)],
  ["two texts may be out, no mail", { ...smsOnly, sends: [lost(), lost()] }, giveUp],
  ["it did not go out", { sends: [a("unsent")], ...tried, ...early }, wait(1 / 12)],
  ["it did not go out, and its time has come", { sends: [a("unsent", 1)] }, text(A)],
  ["it did not go out for 15 minutes", { sends: [a("unsent", 15)], ...tried }, mail(ONE)],
  ["it hung for ten minutes: the other first", { sends: [hung] }, mail(ONE)],
  ["its carrier has failed for long", { sends: [a("unsent")], ...failedForLong }, mail(ONE)],
  ["its carrier works again", { sends: [mended], ...early }, text(A)],
  ["it does, but named a later time", { ...smsOnly, sends: [later], ...inAnHour }, wait(HOUR)],
  ["it was refused", { sends: [a("refused")], ...tried }, mail(ONE)],
  ["it was refused, no mail", { ...smsOnly, sends: [a("refused")], ...inAMinute }, wait(29)],
  ["it was refused half an hour ago", { ...smsOnly, sends: [a("refused", 30)] }, text(A)],
  ["one of two lacks it", { ...twoNumbers, sends: ONE_OF_TWO, ...tried }, mail(ONE)],
  ["the same, no mail", { ...twoTexts, sends: ONE_OF_TWO, ...tried }, done],
  ["who waits has left the settings", { sends: [a("delivered"), b("unsent")], ...early }, done],
  ["who may have it has left the settings", { sends: [b("unknown", 2)] }, text(A)],
  ["its carrier has left the settings", { ...mailOnly, sends: [a("accepted", 1)] }, done],
  [
    "the same, and one of two addresses lacks it",
    { ...twoMails, sends: TWO_LACKS, ...early },
    done,
  ],
  ["a number was added since", { ...twoNumbers, sends: [a("delivered", HOUR)] }, done],
  ["one was added, one waits", { ...withAdded, sends: ONE_WAITS, ...inAMinute }, wait(1)],
  ["a mail may be out", { ...mailOnly, sends: [one("unknown")] }, wait(15)],
  ["it may be for 15 minutes", { ...mailOnly, sends: [one("unknown", 15)], ...early }, mail(ONE)],
  ["it may be, the clock set back a year", { ...mailOnly, sends: [ahead], ...early }, mail(ONE)],
  ["two mails may be out", { order: ["mail", "sms"], sends: mailedTwice }, text(A)],
  ["two mails may be out, no SMS", { ...mailOnly, sends: mailedTwice }, giveUp],
  ["no try is left", { sends: [a("unsent")], ...smsOnly, exhausted: true }, giveUp],
  ["the same, but one of two has it", { ...twoTexts, sends: ONE_WAITS, exhausted: true }, done],
  ["there is no room under the caps", capped, wait(HOUR)],
  ["a text leaves out some of it", { shortened: true, sends: [a("delivered")] }, whole],
  ["the whole of it has to wait", { shortened: true, sends: WHOLE_WAITS, ...inAMinute }, wait(1)],
  ["an alarm may be out", { mayRepeat: false, sends: [a("unknown", HOUR)] }, done],
  ["a digest was refused", { ...mailOnly, yields: true, sends: [one("refused")] }, giveUp],
];

test.each(CASES)("what is done next when %s", (_what, known, action) => {
  expect(decide({ ...usual, ...known }) satisfies Action).toMatchObject(action);
});
