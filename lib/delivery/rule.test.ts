import { expect, test } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "#lib/application/durations.ts";
import {
  FIRST_PAUSES_MS,
  LATER_PAUSE_MS,
  MAX_TRIES,
  SEARCH_PAUSES_MS,
  UNDELIVERED_PAUSE_MS,
} from "#lib/delivery/retry.ts";
import { afterAnswer, type RuleTerms } from "#lib/delivery/rule.ts";
import type { Answer, FaultAbout } from "#lib/storage/outcomes.ts";
import type { Message, MessageChange } from "#lib/storage/tables.ts";
import { aMessage, NOW } from "#testing/delivery/messages.ts";

const textTerms = { isCheckable: true, hasOtherChannel: true, mayRepeat: true };
const mailTerms = { ...textTerms, isCheckable: false };
const alarmTerms = { ...textTerms, mayRepeat: false };
const alone = { hasOtherChannel: false };
const terms: RuleTerms = { ...textTerms, now: NOW, random: 0 };
const faultOf = (about: FaultAbout) => ({ error: "e", advice: "고치기", about });
const fault = faultOf("channel");
const SM1 = { providerId: "SM1" };
const [, SECOND_PAUSE_MS = 0] = FIRST_PAUSES_MS;
const TRIES_OF_PAUSE = { tries: UNDELIVERED_PAUSE_MS.least / LATER_PAUSE_MS };

type Row = [
  what: string,
  message: Message,
  answer: Answer,
  changes: MessageChange,
  terms?: Partial<RuleTerms>,
];
const sending = aMessage("sending");
const secondCopy = aMessage("sending", { copies: 2 });
const failedOnce = aMessage("waiting", { tries: 1 });
const lastTry = aMessage("sending", { tries: MAX_TRIES - 1 });
const inDoubt = aMessage("unsure", { tries: 9, about: "channel" });
/** A text that its provider accepted so many minutes ago. */
const sent = (minutesAgo: number, changes: Partial<Message> = {}) =>
  aMessage("accepted", { minutesAgo, ...SM1, ...changes });
const acceptedAnswer: Answer = { outcome: "accepted", ...SM1 };
const onNetwork: Answer = { ...acceptedAnswer, hasLeftProvider: true };
const unknown: Answer = { outcome: "unknown", fault };
const notSent: Answer = { outcome: "not-sent", fault };
const busy: Answer = { ...notSent, notBefore: NOW + HOUR };
const rejected: Answer = { outcome: "rejected", fault };
const undelivered: Answer = { outcome: "rejected", ...SM1, fault: faultOf("recipient") };
const byAccount: Answer = { ...undelivered, fault };
const IN_FIVE_MINUTES = { nextAt: NOW + 5 * MINUTE };
const mayHaveArrived = expect.stringContaining("도착했는지 알 수 없습니다");

const ROWS: Row[] = [
  ["a delivery", sending, { outcome: "delivered" }, { state: "delivered", error: null }],
  [
    "an acceptance",
    sending,
    acceptedAnswer,
    { state: "accepted", nextAt: NOW + 5 * SECOND, ...SM1 },
  ],
  ["a refusal", sending, rejected, { state: "refused", copies: 0, tries: 1 }],
  ["a refusal", sending, rejected, { nextAt: NOW + LATER_PAUSE_MS }],
  [
    "a refusal before a copy was begun",
    inDoubt,
    rejected,
    { state: "refused", copies: 1 },
    mailTerms,
  ],
  ["a provider that takes no more for now", sending, busy, { state: "waiting", copies: 0 }],
  ["a provider that names a time", sending, busy, { nextAt: NOW + HOUR, notBefore: NOW + HOUR }],
  ["a second failed try", failedOnce, notSent, { tries: 2, nextAt: NOW + SECOND_PAUSE_MS }],
  ["a failed second copy", secondCopy, notSent, { state: "refused", copies: 1 }],
  ["our own stop", sending, { outcome: "not-sent" }, { state: "waiting", copies: 0 }],
  ["doubt about a text", sending, unknown, { state: "unsure", nextAt: NOW + MINUTE, tries: 1 }],
  ["doubt about a second text", secondCopy, unknown, { state: "unsure" }],
  [
    "doubt about a mail",
    sending,
    unknown,
    { state: "unsure", nextAt: NOW + 15 * MINUTE },
    mailTerms,
  ],
  ["doubt about a second mail", secondCopy, unknown, { state: "ended" }, mailTerms],
  [
    "doubt about an alarm",
    sending,
    unknown,
    { state: "delivered", outcome: "unknown" },
    alarmTerms,
  ],
  ["a failed search", inDoubt, unknown, { state: "unsure", tries: 10 }],
  [
    "a text that a search found",
    inDoubt,
    acceptedAnswer,
    { state: "accepted", ...SM1, error: null },
  ],
  [
    "a report of no delivery",
    sent(1),
    undelivered,
    { state: "refused", copies: 0, ...TRIES_OF_PAUSE },
  ],
  ["a report of no delivery", sent(1), undelivered, { nextAt: NOW + UNDELIVERED_PAUSE_MS.least }],
  ["a phone that is off", sent(1), undelivered, { about: "recipient", recoveredAt: NOW }],
  ["a fault of the account", sent(1), byAccount, { about: "channel", recoveredAt: null }],
  ["the last try", lastTry, notSent, { state: "ended" }],
  ["a text on the network for 29 minutes", sent(29), onNetwork, { nextAt: NOW + MINUTE }],
  ["a text on the network for 30 minutes", sent(30), onNetwork, { state: "delivered" }],
  ["a text on the network without mail", sent(30), onNetwork, { state: "delivered" }, alone],
  ["a text at the provider for 29 minutes", sent(29), acceptedAnswer, { nextAt: NOW + MINUTE }],
  [
    "a text at the provider for 30 minutes",
    sent(30),
    acceptedAnswer,
    { state: "refused", copies: 1 },
  ],
  ["a text at the provider without mail", sent(30), acceptedAnswer, IN_FIVE_MINUTES, alone],
  ["a text at the provider for a day", sent(1_440), acceptedAnswer, { state: "refused" }, alone],
  ["a second copy at the provider", sent(30, { copies: 2 }), acceptedAnswer, { state: "ended" }],
  ["a text of unknown status", sent(30), unknown, { state: "refused", copies: 1 }],
  ["a text of unknown status, without mail", sent(30), unknown, IN_FIVE_MINUTES, alone],
  [
    "a text of unknown status for a day",
    sent(1_440),
    unknown,
    { state: "ended", outcome: "unknown", copies: 1, advice: mayHaveArrived },
    alone,
  ],
];

test.each(ROWS)(
  "the rule decides what becomes of a message after %s",
  (_what, message, answer, changes, others = {}) => {
    const changed = afterAnswer(message, answer, { ...terms, ...others });
    expect({ ...message, ...changed }).toMatchObject(changes);
  },
);

test("the ids of all copies are remembered", () => {
  const refused = aMessage("sending", { ...SM1, earlierIds: " SM0" });
  const again = afterAnswer(refused, { outcome: "accepted", providerId: "SM2" }, terms);
  expect(again).toMatchObject({ providerId: "SM2", earlierIds: " SM0 SM1" });
  const unsent = afterAnswer(refused, notSent, terms);
  expect(unsent).toMatchObject({ providerId: null, earlierIds: " SM0 SM1" });
});

test("the acceptance of a second copy does not end a fault that followed the first", () => {
  const failed = { about: "channel", failingSince: NOW - DAY } as const;
  const afterAcceptance = aMessage("sending", { ...failed, ...SM1 });
  const again: Answer = { outcome: "accepted", providerId: "SM2" };
  expect(afterAnswer(afterAcceptance, again, terms)).not.toHaveProperty("failingSince");
  const recovered = { failingSince: null, recoveredAt: NOW };
  expect(afterAnswer(aMessage("sending", failed), again, terms)).toMatchObject(recovered);
});

test("a fault is dated by the first failure", () => {
  const failing = aMessage("waiting", { failingSince: NOW - HOUR });
  expect(afterAnswer(failing, notSent, terms)).toMatchObject({ failingSince: NOW - HOUR });
  const begun = aMessage("sending", { minutesAgo: 5 });
  expect(afterAnswer(begun, notSent, terms)).toMatchObject({ failingSince: NOW - 5 * MINUTE });
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
  const afterOne = afterAnswer({ ...message, copies: 1 }, absent, terms);
  expect(afterOne).toMatchObject({ state: "waiting", copies: 0 });
});
