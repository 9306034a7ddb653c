import { expect, test } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "#lib/application/durations.ts";
import {
  FIRST_PAUSES_MS,
  LATER_PAUSE_MS,
  MAX_TRIES,
  SEARCH_PAUSES_MS,
} from "#lib/delivery/retry.ts";
import { afterAnswer, type RuleTerms } from "#lib/delivery/rule.ts";
import type { Answer, FaultAbout } from "#lib/storage/outcomes.ts";
import type { Message, MessageChange } from "#lib/storage/tables.ts";
import { aMessage, NOW } from "#testing/delivery/messages.ts";

const textTerms = { isCheckable: true, hasOther: true, mayRepeat: true };
const mailTerms = { ...textTerms, isCheckable: false };
const alone = { hasOther: false };
const terms: RuleTerms = { ...textTerms, now: NOW, random: 0 };
const faultOf = (about: FaultAbout) => ({ error: "e", advice: "고치기", about });
const fault = faultOf("channel");
const SM1 = { providerId: "SM1" };
const [FIRST_PAUSE_MS = 0, SECOND_PAUSE_MS = 0] = FIRST_PAUSES_MS;

type Row = [
  what: string,
  message: Message,
  answer: Answer,
  changes: MessageChange,
  terms?: Partial<RuleTerms>,
];
const sending = aMessage("sending");
const second = aMessage("sending", { copies: 2 });
const accepted = (minutes: number, changes: Partial<Message> = {}) =>
  aMessage("accepted", { minutes, ...SM1, ...changes });
const acceptedAnswer: Answer = { outcome: "accepted", ...SM1 };
const onNetwork: Answer = { ...acceptedAnswer, hasLeftProvider: true };
const unknown: Answer = { outcome: "unknown", fault };
const undelivered: Answer = { outcome: "rejected", ...SM1, fault: faultOf("recipient") };

const ROWS: Row[] = [
  ["a delivery", sending, { outcome: "delivered" }, { state: "delivered", error: null }],
  [
    "an acceptance",
    sending,
    acceptedAnswer,
    { state: "accepted", nextAt: NOW + 5 * SECOND, ...SM1 },
  ],
  ["a refusal", sending, { outcome: "rejected", fault }, { state: "refused", copies: 0, tries: 1 }],
  ["a refusal", sending, { outcome: "rejected", fault }, { nextAt: NOW + LATER_PAUSE_MS }],
  [
    "a refusal before a copy was begun",
    aMessage("unsure"),
    { outcome: "rejected", fault },
    { state: "refused", copies: 1 },
    mailTerms,
  ],
  [
    "a provider that takes no more for now",
    sending,
    { outcome: "not-sent", fault, notBefore: NOW + HOUR },
    { state: "waiting", copies: 0, nextAt: NOW + HOUR, notBefore: NOW + HOUR },
  ],
  [
    "a second failed try",
    aMessage("waiting", { tries: 1 }),
    { outcome: "not-sent", fault },
    { tries: 2, nextAt: NOW + SECOND_PAUSE_MS },
  ],
  ["a failed second copy", second, { outcome: "not-sent", fault }, { state: "refused", copies: 1 }],
  ["our own stop", sending, { outcome: "not-sent" }, { state: "waiting", copies: 0 }],
  ["doubt about a text", sending, unknown, { state: "unsure", nextAt: NOW + MINUTE, tries: 1 }],
  ["doubt about a second text", second, unknown, { state: "unsure" }],
  [
    "doubt about a mail",
    sending,
    unknown,
    { state: "unsure", nextAt: NOW + 15 * MINUTE },
    mailTerms,
  ],
  ["doubt about a second mail", second, unknown, { state: "ended" }, mailTerms],
  [
    "doubt about an alarm",
    sending,
    unknown,
    { state: "delivered", outcome: "unknown" },
    {
      mayRepeat: false,
    },
  ],
  ["a failed search", aMessage("unsure", { tries: 9 }), unknown, { state: "unsure", tries: 10 }],
  [
    "a text that a search found",
    aMessage("unsure", fault),
    acceptedAnswer,
    { state: "accepted", ...SM1, error: null },
  ],
  ["a report of no delivery", accepted(1), undelivered, { state: "refused", copies: 0, tries: 12 }],
  ["a report of no delivery", accepted(1), undelivered, { nextAt: NOW + 6 * HOUR }],
  ["a phone that is off", accepted(1), undelivered, { about: "recipient", recoveredAt: NOW }],
  [
    "a report of no delivery because of the account",
    accepted(1),
    { ...undelivered, fault },
    { about: "channel", recoveredAt: null },
  ],
  [
    "the last try",
    aMessage("sending", { tries: MAX_TRIES - 1 }),
    { outcome: "not-sent", fault },
    {
      state: "ended",
    },
  ],
  ["a text on the network for 29 minutes", accepted(29), onNetwork, { nextAt: NOW + MINUTE }],
  ["a text on the network for 30 minutes", accepted(30), onNetwork, { state: "delivered" }],
  ["a text on the network without mail", accepted(30), onNetwork, { state: "delivered" }, alone],
  ["a text at the provider for 29 minutes", accepted(29), acceptedAnswer, { nextAt: NOW + MINUTE }],
  [
    "a text at the provider for 30 minutes",
    accepted(30),
    acceptedAnswer,
    { state: "refused", copies: 1 },
  ],
  [
    "a text at the provider without mail",
    accepted(30),
    acceptedAnswer,
    { nextAt: NOW + 5 * MINUTE },
    alone,
  ],
  [
    "a text at the provider for a day",
    accepted(1_440),
    acceptedAnswer,
    { state: "refused" },
    alone,
  ],
  [
    "a second copy at the provider",
    accepted(30, { copies: 2 }),
    acceptedAnswer,
    { state: "ended" },
  ],
  ["a text of unknown status", accepted(30), unknown, { state: "refused", copies: 1 }],
  [
    "a text of unknown status, without mail",
    accepted(30),
    unknown,
    { nextAt: NOW + 5 * MINUTE },
    alone,
  ],
  [
    "a text of unknown status for a day",
    accepted(1_440),
    unknown,
    { state: "ended", outcome: "unknown", copies: 1 },
    alone,
  ],
];

test.each(ROWS)(
  "the rule decides what becomes of a message after %s",
  (_what, message, answer, changes, others = {}) => {
    const { error, ...expected } = { error: undefined, ...changes };
    const changed = afterAnswer(message, answer, { ...terms, ...others });
    expect({ ...message, ...changed }).toMatchObject(
      error === null ? { ...expected, error } : expected,
    );
  },
);

test("the ids of all copies are remembered", () => {
  const refused = aMessage("sending", { ...SM1, earlierIds: " SM0" });
  const again = afterAnswer(refused, { outcome: "accepted", providerId: "SM2" }, terms);
  expect(again).toMatchObject({ providerId: "SM2", earlierIds: " SM0 SM1" });
  expect(afterAnswer(refused, { outcome: "not-sent", fault }, terms)).toMatchObject({
    providerId: null,
    earlierIds: " SM0 SM1",
  });
});

test("a new acceptance does not end the fault of a text that failed after acceptance", () => {
  const failed = { about: "channel", failingSince: NOW - DAY } as const;
  const afterAcceptance = aMessage("sending", { ...failed, ...SM1 });
  const again: Answer = { outcome: "accepted", providerId: "SM2" };
  expect(afterAnswer(afterAcceptance, again, terms)).not.toHaveProperty("failingSince");
  expect(afterAnswer(aMessage("sending", failed), again, terms)).toMatchObject({
    failingSince: null,
    recoveredAt: NOW,
  });
});

test("a fault is dated by the first failure", () => {
  const failing = aMessage("waiting", { failingSince: NOW - HOUR });
  const failed: Answer = { outcome: "not-sent", fault };
  expect(afterAnswer(failing, failed, terms)).toMatchObject({ failingSince: NOW - HOUR });
  expect(afterAnswer(aMessage("sending", { minutes: 5 }), failed, terms)).toMatchObject({
    failingSince: NOW - 5 * MINUTE,
  });
});

test("only the last of five searches proves that a text is absent [12][64]", () => {
  let message = aMessage("unsure", { copies: 2 });
  const absent = { outcome: "absent" } as const;
  const pauses = SEARCH_PAUSES_MS.slice(0, 1);
  for (let search = 1; search < SEARCH_PAUSES_MS.length; search++) {
    message = { ...message, ...afterAnswer(message, absent, terms) } as Message;
    expect(message).toMatchObject({ state: "unsure", copies: 2 });
    pauses.push(message.nextAt - NOW);
  }
  expect(pauses).toEqual(SEARCH_PAUSES_MS);
  expect(afterAnswer(message, absent, terms)).toEqual({ state: "refused", copies: 1, nextAt: NOW });
  expect(afterAnswer({ ...message, copies: 1 }, absent, terms)).toMatchObject({
    state: "waiting",
    copies: 0,
  });
});

test("the first retry comes after five seconds", () => {
  const failed = afterAnswer(sending, { outcome: "not-sent", fault }, terms);
  expect(failed).toMatchObject({ nextAt: NOW + FIRST_PAUSE_MS });
});
