import { expect, test } from "vitest";
import { DAY, HOUR } from "#lib/application/durations.ts";
import { isAlarmDue } from "#lib/delivery/alarms.ts";
import { judgeEvidence } from "#lib/delivery/faults.ts";
import type { Evidence } from "#lib/storage/queries/evidence.ts";
import type { EarlierNotice } from "#lib/storage/queries/notices.ts";

const [A, B] = ["one@owner.kr", "two@owner.kr"];
const failed = (
  about: Evidence["about"],
  noticeId: number,
  recipient = A,
  changes: Partial<Evidence> = {},
): Evidence => ({
  ...{ about, noticeId, recipient, outcome: "rejected", advice: "" },
  ...{ failingSince: 1, answeredAt: 2, recoveredAt: undefined, ...changes },
});
const recovered = { recoveredAt: 3 };
const CHANNEL_ALONE = [undefined];

test.each<[what: string, evidence: Evidence[], faulty: (string | undefined)[]]>([
  ["nothing", [], []],
  ["the channel itself", [failed("channel", 1)], CHANNEL_ALONE],
  ["one message", [failed("message", 1)], []],
  ["one message to two recipients", [failed("message", 1), failed("message", 1, B)], []],
  ["two messages", [failed("message", 1), failed("message", 2)], CHANNEL_ALONE],
  [
    "two messages to two recipients",
    [failed("message", 1), failed("message", 2, B)],
    CHANNEL_ALONE,
  ],
  ["one recipient", [failed("recipient", 1)], [A]],
  ["one recipient with two messages", [failed("recipient", 1), failed("recipient", 2)], [A]],
  ["two recipients", [failed("recipient", 1), failed("recipient", 1, B)], CHANNEL_ALONE],
  ["a recipient and a message", [failed("recipient", 1, B), failed("message", 2)], CHANNEL_ALONE],
  [
    "one message after another, with a success between",
    [failed("message", 1, A, recovered), failed("message", 2)],
    [],
  ],
  [
    "one recipient, with a later success of the channel",
    [failed("recipient", 1, A, recovered)],
    [A],
  ],
  ["a former recipient", [failed("recipient", 1, "old"), failed("message", 2)], []],
  ["channel and recipient", [failed("channel", 1), failed("recipient", 2)], [undefined, A]],
])("judgeEvidence decides whose fault a failure is: %s [48][81]", (_what, evidence, faulty) => {
  const faults = judgeEvidence("mail", [A, B], evidence);
  expect(faults.map(({ recipient }) => recipient)).toEqual(faulty);
});

test("a channel's fault begins with the channel's first failure", () => {
  const first = failed("channel", 1, A, { failingSince: 5, answeredAt: 6, outcome: "unknown" });
  const last = failed("channel", 2, A, { failingSince: 7, answeredAt: 8, advice: "last" });
  const fault = { since: 5, seenAt: 8, advice: "last", isRejected: true };
  expect(judgeEvidence("mail", [A], [first, last])).toMatchObject([fault]);
});

const NOW = Date.parse("2026-12-01T09:30:00+09:00");
const arrived: EarlierNotice = {
  state: "done",
  sentAt: NOW - DAY,
  finishedAt: NOW,
  reachedCount: 1,
};
const unsent = { ...arrived, sentAt: undefined, reachedCount: 0 };
const gaveUp = { ...unsent, state: "given-up" } as const;
test.each<[earlier: string, EarlierNotice | undefined, causeAt: number, isDue: boolean]>([
  ["none", undefined, NOW, true],
  ["one that is open", { ...arrived, state: "open" }, NOW, false],
  ["one that arrived before the cause", arrived, NOW, true],
  ["one that arrived after the cause", arrived, NOW - 2 * DAY, false],
  ["one that arrived an hour ago", { ...arrived, sentAt: NOW - HOUR }, NOW, false],
  ["one whose cause ended before it was sent", unsent, NOW, true],
  ["one of unknown outcome", { ...arrived, reachedCount: 0 }, NOW - 2 * DAY, true],
  ["one that reached nobody an hour ago", { ...gaveUp, finishedAt: NOW - HOUR }, 0, false],
  ["one that reached nobody a day ago", { ...gaveUp, finishedAt: NOW - DAY }, 0, true],
  ["one from before the clock was set back", { ...arrived, sentAt: NOW + DAY }, 0, true],
])("a new alarm after $0 is due: $3", (_earlier, earlier, causeAt, isDue) => {
  expect(isAlarmDue(earlier, causeAt, NOW)).toBe(isDue);
});
