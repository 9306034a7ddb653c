import { expect, it } from "vitest";
import { DAY } from "#lib/application/durations.ts";
import {
  createQueued,
  type DeviceRecord,
  expiresAt,
  nextRecord,
  type Queued,
  RECORD_LIFE_MS,
  type RecordEvent,
  type SendOutcome,
} from "#lib/browser/record.ts";
import { filledIn, receipt } from "#testing/fixtures/browser-application.ts";

const START = Date.UTC(2026, 11, 1);
const submission = { id: "a", form: "dialog", tab: "tab", values: filledIn } as const;
const queued = createQueued(submission, START);
const old: Queued = { ...queued, ageMs: RECORD_LIFE_MS };

const REJECTED: SendOutcome = {
  kind: "rejected",
  refusal: { errorText: "확인해 주세요.", errors: {} },
};
const LATER: SendOutcome = { kind: "later", errorText: undefined, reason: undefined };

const answered = (outcome: SendOutcome): RecordEvent => ({
  type: "answered",
  sent: queued,
  outcome,
  toldByForm: false,
  now: START,
});
const tick = (days: number, isSeen = false): RecordEvent => ({
  type: "tick",
  now: START + days * DAY,
  isSeen,
});

const replay = (record: DeviceRecord | undefined, ...events: RecordEvent[]) =>
  events.reduce(nextRecord, record);

const received = replay(queued, answered({ kind: "received", receipt }));
const rejected = replay(queued, answered(REJECTED));
const expired = replay(old, answered(LATER));

const EVENTS: [name: string, events: RecordEvent[]][] = [
  ["received", [answered({ kind: "received", receipt })]],
  ["rejected", [answered(REJECTED)]],
  ["later", [answered(LATER)]],
  ["removed", [{ type: "removed" }]],
  ["tick", [tick(0.1)]],
  // A tick adds at most six days. At the first tick, a visible page shows the record.
  ["tick past the life of the state", [tick(0, true), tick(6), tick(12)]],
];

it("every event changes every state as the table in record.ts says", () => {
  const table = EVENTS.map(([name, events]) =>
    [
      name,
      ...[undefined, queued, rejected, received, expired].map(
        (record) => replay(record, ...events)?.state ?? "none",
      ),
    ].join(" "),
  );
  expect(table).toEqual([
    "received received received received received received",
    "rejected none rejected rejected received expired",
    "later none queued rejected received expired",
    "removed none none none none none",
    "tick none queued rejected received expired",
    "tick past the life of the state none queued expired none none",
  ]);
  expect(replay(old, answered(LATER))?.state).toBe("expired");
});

it("a record keeps the first receipt of its key", () => {
  const second = { ...receipt, applicationId: "8ABCDEFG" };
  expect(replay(received, answered({ kind: "received", receipt: second }))).toBe(received);
});

it.each([
  ["forward", 400],
  ["back", -400],
])("a clock jump %s ages a record by six days at most", (_, days) => {
  const jumped = replay(queued, tick(days));
  expect((jumped as Queued).ageMs).toBeLessThanOrEqual(6 * DAY);
  expect((jumped as Queued).ageMs).toBeGreaterThanOrEqual(0);
  expect(replay(jumped, answered(LATER))?.state).toBe("queued");
});

it("a record ages from the time to which the clock was set back", () => {
  const back = replay(queued, tick(-400), tick(-399));
  expect((back as Queued).ageMs).toBe(DAY);
});

it("an expired record is kept for a day after a visible page has shown it", () => {
  const unseen = replay(expired, tick(30));
  expect(replay(unseen, tick(60))?.state).toBe("expired");
  const seen = replay(unseen, tick(60, true));
  expect(replay(seen, tick(60.9))?.state).toBe("expired");
  expect(replay(seen, tick(61))).toBeUndefined();
});

it("a received or expired record has no data of the visitor", () => {
  expect(JSON.stringify([received, expired])).not.toContain(filledIn.phone);
});

it("a record expires seven days after submission, whatever the clock showed", () => {
  expect(expiresAt(queued, START)).toBe(START + RECORD_LIFE_MS);
  const aged = replay(queued, tick(2)) as Queued;
  expect(expiresAt(aged, START + 2 * DAY)).toBe(START + RECORD_LIFE_MS);
  const wrong = createQueued(submission, START + 500 * DAY);
  expect(expiresAt(wrong, START)).toBe(START + RECORD_LIFE_MS);
});
