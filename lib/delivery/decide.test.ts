import { describe, expect, test } from "vitest";
import { type Action, type Case, decide } from "#lib/delivery/decide.ts";
import type { Send } from "#lib/storage/queries/sends.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const NOW = Date.parse("2026-12-01T09:30:00+09:00");
const [A, B, ONE, TWO] = ["+821011110000", "+821022220000", "one@owner.kr", "two@owner.kr"];

/** A send of so long ago: `sms A unknown`. Each has a later number than the one before it. */
let count = 0;
function sent(what: string, ago: number, changes: Partial<Send> = {}): Send {
  const [carrier = "", recipient = "", outcome = ""] = what.split(" ");
  const to = { A, B, ONE, TWO }[recipient] ?? "";
  const isText = carrier === "sms";
  count += 1;
  return {
    id: count,
    carrier: isText ? "sms" : "mail",
    recipient: to,
    outcome: outcome as Send["outcome"],
    segments: isText && outcome !== "unsent" && outcome !== "refused" ? 2 : 0,
    providerId: undefined,
    begunAt: NOW - ago,
    endedAt: NOW - ago,
    about: outcome === "refused" || outcome === "unsent" ? "channel" : undefined,
    notBefore: undefined,
    ...{ jobId: 1, error: undefined, advice: undefined, mended: false },
    ...changes,
  };
}

const usual: Case = {
  order: ["sms", "mail"],
  recipients: { sms: [A], mail: [ONE] },
  sends: [],
  now: NOW,
  retryAt: NOW,
  due: true,
  exhausted: false,
  mayRepeat: true,
  asked: false,
  tried: new Set(),
  failingSince: undefined,
  roomAt: undefined,
  shortened: false,
  yields: false,
};
const smsOnly = { order: ["sms"], recipients: { sms: [A] } } as const;
const mailOnly = { order: ["mail"], recipients: { mail: [ONE] } } as const;
const tried = { due: true, tried: new Set(["sms"] as const), retryAt: NOW + 5 * SECOND };

const text = (...recipients: string[]) => ({ do: "send", carrier: "sms", recipients });
const mail = (...recipients: string[]) => ({ do: "send", carrier: "mail", recipients });
const wait = (until: number) => ({ do: "wait", until: NOW + until });

const CASES: [what: string, known: Partial<Case>, action: object][] = [
  ["nothing is configured", { order: [] }, { do: "file" }],
  ["nothing was begun", {}, text(A)],
  ["a number is named beside another", { recipients: { sms: [A, B] } }, text(A, B)],
  [
    "Twilio has it, just now",
    { sends: [sent("sms A accepted", 0)], asked: true },
    wait(5 * SECOND),
  ],
  [
    "Twilio has it, and can be asked",
    { sends: [sent("sms A accepted", 5 * SECOND)] },
    { do: "ask" },
  ],
  ["it is there", { sends: [sent("sms A delivered", 0)] }, { do: "done" }],
  ["it may be out, just now", { sends: [sent("sms A unknown", 0)], ...tried }, wait(MINUTE)],
  [
    "it may be out, and can be looked for",
    { sends: [sent("sms A unknown", MINUTE)] },
    { do: "ask" },
  ],
  [
    "it was not there at the first look",
    { sends: [sent("sms A unknown", MINUTE)], asked: true },
    wait(2 * MINUTE),
  ],
  [
    "it was never there: a second text",
    { sends: [sent("sms A unsent", 6 * MINUTE, { segments: 2 })] },
    text(A),
  ],
  [
    "two texts may be out",
    { sends: [1, 2].map(() => sent("sms A unsent", 6 * MINUTE, { segments: 2 })) },
    mail(ONE),
  ],
  [
    "two texts may be out, and there is no mail",
    { ...smsOnly, sends: [1, 2].map(() => sent("sms A unsent", 6 * MINUTE, { segments: 2 })) },
    { do: "give-up" },
  ],
  [
    "it did not go out",
    { sends: [sent("sms A unsent", 0)], ...tried, due: false },
    wait(5 * SECOND),
  ],
  ["it did not go out, and its time has come", { sends: [sent("sms A unsent", MINUTE)] }, text(A)],
  [
    "it did not go out for 15 minutes",
    { sends: [sent("sms A unsent", 15 * MINUTE)], ...tried },
    mail(ONE),
  ],
  [
    "it hung for ten minutes: the other first",
    { sends: [sent("sms A unsent", 15 * MINUTE, { endedAt: NOW - 5 * MINUTE })] },
    mail(ONE),
  ],
  [
    "its carrier has failed for long, and for it too",
    { sends: [sent("sms A unsent", 0)], failingSince: NOW - HOUR, ...tried },
    mail(ONE),
  ],
  [
    "its carrier works again",
    { sends: [sent("sms A unsent", MINUTE, { mended: true })], due: false },
    text(A),
  ],
  [
    "its carrier works again, but named a later time",
    {
      ...smsOnly,
      sends: [sent("sms A unsent", MINUTE, { notBefore: NOW + HOUR, mended: true })],
      due: false,
      retryAt: NOW + HOUR,
    },
    wait(HOUR),
  ],
  ["it was refused", { sends: [sent("sms A refused", 0)], ...tried }, mail(ONE)],
  [
    "it was refused, and there is no mail",
    { ...smsOnly, sends: [sent("sms A refused", 0)], ...tried, retryAt: NOW + 30 * MINUTE },
    wait(30 * MINUTE),
  ],
  [
    "it was refused half an hour ago",
    { ...smsOnly, sends: [sent("sms A refused", 30 * MINUTE)] },
    text(A),
  ],
  [
    "one of two has it, the other was refused",
    {
      recipients: { sms: [A, B], mail: [ONE] },
      sends: [sent("sms A delivered", 0), sent("sms B refused", 0)],
      ...tried,
    },
    mail(ONE),
  ],
  [
    "the same, and there is no mail",
    {
      order: ["sms"],
      recipients: { sms: [A, B] },
      sends: [sent("sms A delivered", 0), sent("sms B refused", 0)],
      ...tried,
    },
    { do: "done" },
  ],
  [
    "the one that waits has left the settings",
    { sends: [sent("sms A delivered", 0), sent("sms B unsent", 0)], due: false },
    { do: "done" },
  ],
  [
    "the one that may have it has left the settings",
    { sends: [sent("sms B unknown", 2 * MINUTE)] },
    text(A),
  ],
  [
    "a provider has it, and its carrier has left the settings",
    { ...mailOnly, sends: [sent("sms A accepted", MINUTE)] },
    { do: "done" },
  ],
  [
    "a number was added since",
    { recipients: { sms: [A, B], mail: [ONE] }, sends: [sent("sms A delivered", HOUR)] },
    { do: "done" },
  ],
  ["a mail may be out", { ...mailOnly, sends: [sent("mail ONE unknown", 0)] }, wait(15 * MINUTE)],
  [
    "a mail may be out for 15 minutes",
    { ...mailOnly, sends: [sent("mail ONE unknown", 15 * MINUTE)], due: false },
    mail(ONE),
  ],
  [
    "a mail may be out, and the clock was set back a year",
    { ...mailOnly, sends: [sent("mail ONE unknown", -365 * 24 * HOUR)], due: false },
    mail(ONE),
  ],
  [
    "two mails may be out",
    { order: ["mail", "sms"], sends: [1, 2].map(() => sent("mail ONE unknown", HOUR)) },
    text(A),
  ],
  [
    "two mails may be out, and there is no SMS",
    { ...mailOnly, sends: [1, 2].map(() => sent("mail ONE unknown", HOUR)) },
    { do: "give-up" },
  ],
  [
    "no try is left",
    { sends: [sent("sms A unsent", 0)], ...smsOnly, exhausted: true },
    { do: "give-up" },
  ],
  [
    "no try is left, but one of two has it",
    {
      ...smsOnly,
      recipients: { sms: [A, B] },
      sends: [sent("sms A delivered", 0), sent("sms B unsent", 0)],
      exhausted: true,
    },
    { do: "done" },
  ],
  [
    "there is no room under the caps",
    { ...smsOnly, tried: new Set(["sms"]), roomAt: NOW + HOUR, retryAt: NOW },
    wait(HOUR),
  ],
  [
    "a text leaves out some of it",
    { shortened: true, sends: [sent("sms A delivered", 0)] },
    { ...mail(ONE), whole: true },
  ],
  [
    "the whole of it has to wait",
    {
      shortened: true,
      sends: [sent("sms A delivered", HOUR), sent("mail ONE unsent", 0)],
      due: false,
      retryAt: NOW + MINUTE,
    },
    wait(MINUTE),
  ],
  [
    "an alarm may be out",
    { mayRepeat: false, sends: [sent("sms A unknown", HOUR)] },
    { do: "done" },
  ],
  [
    "a digest was refused",
    { ...mailOnly, yields: true, sends: [sent("mail ONE refused", 0)], due: false },
    { do: "give-up" },
  ],
];

describe("what is done next when", () => {
  test.each(CASES)("%s", (_what, known, action) => {
    expect(decide({ ...usual, ...known }) satisfies Action).toMatchObject(action);
  });
});
