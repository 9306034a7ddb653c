import { expect, test } from "vitest";
import type { MessageCarrier } from "#lib/channels/carrier.ts";
import { type AlarmNeeds, alarmsNow } from "#lib/delivery/alarms.ts";
import type { Failing } from "#lib/storage/queries/faults.ts";
import type { JobCounts } from "#lib/storage/queries/owner.ts";

const MINUTE = 60_000;
const NOW = Date.parse("2026-12-01T09:30:00+09:00");
const NUMBER = "+821099990000";

const carrier = (recipients: string[]): MessageCarrier => ({
  ...{ recipients, tryLimitMs: 0, segments: () => 0, shortens: () => false },
  send: async () => [],
});
const file = { write: async () => undefined, writeSummary: async () => undefined };
const [sms, mail] = [carrier([NUMBER]), carrier(["owner@practice.example"])];

/** SMS has failed for so long, and was seen to fail just now. */
const failing = (ms: number, changes: Partial<Failing> = {}): Failing => ({
  ...{ carrier: "sms", recipient: undefined, advice: "고쳐 주세요.", refused: false },
  ...{ since: NOW - ms, seenAt: NOW, ...changes },
});

const NOTHING: JobCounts = {
  ...{ waiting: 0, sent: 0, filed: 0, done: 0, givenUp: 0, lastGivenUpAt: undefined },
  ...{ lastGivenUpAdvice: undefined, oldestWaitingSince: undefined, overdueSince: undefined },
  ...{ oldestFiledSince: undefined, lastThroughAt: undefined },
};

interface Known {
  faults?: Failing[];
  /** Since when mail has worked again. */
  worksSince?: number | undefined;
  carriers?: AlarmNeeds["carriers"];
  givenUp?: number;
  backups?: [failedAt: number, doneAt: number];
}

const CASES: [string, Known, string[]][] = [
  ["nothing fails", {}, []],
  ["a carrier refuses", { faults: [failing(0, { refused: true })] }, ["alarm:sms"]],
  ["it has not answered for 14 minutes", { faults: [failing(14 * MINUTE)] }, []],
  ["it has not answered for 15 minutes", { faults: [failing(15 * MINUTE)] }, ["alarm:sms"]],
  [
    "it has not answered, and the other one does not either",
    { faults: [failing(60 * MINUTE)], worksSince: undefined },
    [],
  ],
  [
    "it was last tried while the other one did not answer either",
    { faults: [failing(60 * MINUTE, { seenAt: NOW - 5 * MINUTE })], worksSince: NOW - 5 * MINUTE },
    [],
  ],
  [
    "it has failed once more since the other one works again",
    { faults: [failing(60 * MINUTE)], worksSince: NOW - 5 * MINUTE },
    ["alarm:sms"],
  ],
  ["it is the only one", { faults: [failing(0, { refused: true })], carriers: { file, sms } }, []],
  [
    "one number refuses",
    { faults: [failing(0, { refused: true, recipient: NUMBER })] },
    [`alarm:sms:${NUMBER}`],
  ],
  ["applications were given up", { givenUp: 2 }, ["alarm:given-up"]],
  ["the last backup failed", { backups: [NOW, NOW - 1] }, ["alarm:backup"]],
  ["a backup failed before the last one", { backups: [NOW - 1, NOW] }, []],
];

test.for(CASES)("when %s", async ([_what, known, subjects]) => {
  const { faults = [], carriers = { file, sms, mail }, givenUp = 0, backups } = known;
  const [failedAt, doneAt] = backups ?? [];
  const alarms = await alarmsNow({
    carriers,
    now: () => NOW,
    store: {
      failing: async () => faults,
      worksSince: async () => ("worksSince" in known ? known.worksSince : 0),
      counts: async () => ({ ...NOTHING, givenUp, lastGivenUpAt: givenUp ? NOW : undefined }),
      findNote: async (name) => {
        const at = name === "backup" ? doneAt : failedAt;
        return at === undefined ? undefined : { at, value: "" };
      },
    },
  });
  expect(alarms.map(({ subject }) => subject)).toEqual(subjects);
});
