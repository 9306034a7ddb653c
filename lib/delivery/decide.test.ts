import { expect, test } from "vitest";
import { type Action, type Case, decide } from "#lib/delivery/decide.ts";
import type { Attempt } from "#lib/storage/queries/attempts.ts";
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
  (outcome: Attempt["outcome"], minutesAgo = 0, changes: Partial<Attempt> = {}): Attempt => {
    const at = NOW - minutesAgo * MINUTE;
    const failed = outcome === "rejected" || outcome === "not-sent";
    const isText = !recipient.includes("@");
    count += 1;
    return {
      ...{ id: count, jobId: 1, recipient, outcome, channel: isText ? "sms" : "mail" },
      ...{ begunAt: at, endedAt: at, mended: false, about: failed ? "channel" : undefined },
      ...{ error: undefined, advice: undefined, notBefore: undefined, providerId: undefined },
      segments: isText && !failed ? 2 : 0,
      ...changes,
    };
  };
const [a, b, one] = [sent(A), sent(B), sent(ONE)];
/** It may turn up yet, and is paid for. */
const lost = () => a("not-sent", 6, { segments: 2 });
const hung = a("not-sent", 15, { endedAt: NOW - 5 * MINUTE });
const mended = a("not-sent", 1, { mended: true });
const later = a("not-sent", 1, { mended: true, notBefore: NOW + HOUR * MINUTE });
const ahead = one("unknown", -365 * 24 * HOUR);
const mailedTwice = [one("unknown", HOUR), one("unknown", HOUR)];

const usual: Case = {
  ...{ order: ["sms", "mail"], recipients: { sms: [A], mail: [ONE] }, attempts: [], now: NOW },
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

const text = (...recipients: string[]) => ({ do: "send", channel: "sms", recipients });
const mail = (...recipients: string[]) => ({ do: "send", channel: "mail", recipients });
const wait = (minutes: number) => ({ do: "wait", until: NOW + minutes * MINUTE });
const [ask, done, giveUp] = [{ do: "ask" }, { do: "done" }, { do: "give-up" }];

const whole = { ...mail(ONE), whole: true };
const ONE_OF_TWO = [a("delivered"), b("rejected")];
const ONE_WAITS = [a("delivered", 1), b("not-sent", 1)];
const TWO_LACKS = [a("delivered", HOUR), one("delivered", HOUR), sent(TWO)("rejected", HOUR)];
const WHOLE_WAITS = [a("delivered", HOUR), one("not-sent")];
const CASES: [what: string, known: Partial<Case>, action: object][] = [
  ["nothing is configured", { order: [] }, { do: "file" }],
  ["nothing was begun", {}, text(A)],
  ["a number is named beside another", twoNumbers, text(A, B)],
  ["Twilio has it, just now", { attempts: [a("accepted")], asked: true }, wait(1 / 12)],
  ["Twilio has it, and can be asked", { attempts: [a("accepted", 1 / 12)] }, ask],
  ["it is there", { attempts: [a("delivered")] }, done],
  ["it may be out, just now", { attempts: [a("unknown")], ...tried }, wait(1)],
  ["it may be out, and can be looked for", { attempts: [a("unknown", 1)] }, ask],
  ["it was not there at the first look", { attempts: [a("unknown", 1)], asked: true }, wait(2)],
  ["it was never there: a second text", { attempts: [lost()] }, text(A)],
  ["two texts may be out", { attempts: [lost(), lost()] }, mail(ONE)],
  ["two texts may be out, no mail", { ...smsOnly, attempts: [lost(), lost()] }, giveUp],
  ["it did not go out", { attempts: [a("not-sent")], ...tried, ...early }, wait(1 / 12)],
  ["it did not go out, and its time has come", { attempts: [a("not-sent", 1)] }, text(A)],
  ["it did not go out for 15 minutes", { attempts: [a("not-sent", 15)], ...tried }, mail(ONE)],
  ["it hung for ten minutes: the other first", { attempts: [hung] }, mail(ONE)],
  ["its channel has failed for long", { attempts: [a("not-sent")], ...failedForLong }, mail(ONE)],
  ["its channel works again", { attempts: [mended], ...early }, text(A)],
  ["it does, but named a later time", { ...smsOnly, attempts: [later], ...inAnHour }, wait(HOUR)],
  ["it was refused", { attempts: [a("rejected")], ...tried }, mail(ONE)],
  ["it was refused, no mail", { ...smsOnly, attempts: [a("rejected")], ...inAMinute }, wait(29)],
  ["it was refused half an hour ago", { ...smsOnly, attempts: [a("rejected", 30)] }, text(A)],
  ["one of two lacks it", { ...twoNumbers, attempts: ONE_OF_TWO, ...tried }, mail(ONE)],
  ["the same, no mail", { ...twoTexts, attempts: ONE_OF_TWO, ...tried }, done],
  [
    "who waits has left the settings",
    { attempts: [a("delivered"), b("not-sent")], ...early },
    done,
  ],
  ["who may have it has left the settings", { attempts: [b("unknown", 2)] }, text(A)],
  ["its channel has left the settings", { ...mailOnly, attempts: [a("accepted", 1)] }, done],
  [
    "the same, and one of two addresses lacks it",
    { ...twoMails, attempts: TWO_LACKS, ...early },
    done,
  ],
  ["a number was added since", { ...twoNumbers, attempts: [a("delivered", HOUR)] }, done],
  ["one was added, one waits", { ...withAdded, attempts: ONE_WAITS, ...inAMinute }, wait(1)],
  ["a mail may be out", { ...mailOnly, attempts: [one("unknown")] }, wait(15)],
  [
    "it may be for 15 minutes",
    { ...mailOnly, attempts: [one("unknown", 15)], ...early },
    mail(ONE),
  ],
  ["it may be, the clock set back a year", { ...mailOnly, attempts: [ahead], ...early }, mail(ONE)],
  ["two mails may be out", { order: ["mail", "sms"], attempts: mailedTwice }, text(A)],
  ["two mails may be out, no SMS", { ...mailOnly, attempts: mailedTwice }, giveUp],
  ["no try is left", { attempts: [a("not-sent")], ...smsOnly, exhausted: true }, giveUp],
  ["the same, but one of two has it", { ...twoTexts, attempts: ONE_WAITS, exhausted: true }, done],
  ["there is no room under the caps", capped, wait(HOUR)],
  ["a text leaves out some of it", { shortened: true, attempts: [a("delivered")] }, whole],
  [
    "the whole of it has to wait",
    { shortened: true, attempts: WHOLE_WAITS, ...inAMinute },
    wait(1),
  ],
  ["an alarm may be out", { mayRepeat: false, attempts: [a("unknown", HOUR)] }, done],
  ["a digest was refused", { ...mailOnly, yields: true, attempts: [one("rejected")] }, giveUp],
];

test.each(CASES)("what is done next when %s", (_what, known, action) => {
  expect(decide({ ...usual, ...known }) satisfies Action).toMatchObject(action);
});
