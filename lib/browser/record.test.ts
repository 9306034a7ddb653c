import { describe, expect, it } from "vitest";
import {
  type Change,
  KEEP_MS,
  type Kept,
  next,
  pressed,
  type Waiting,
} from "#lib/browser/record.ts";
import { filledIn } from "#testing/fixtures/browser-application.ts";

const DAY_MS = 86_400_000;
const now = Date.UTC(2026, 11, 1);
const receipt = { applicationId: "7K3MPQ9X", submittedAt: "2026-12-01T09:30:00.000+09:00" };
const refusal = { errorText: "확인해 주세요.", errors: {} };
const writing = {
  id: "a",
  form: "dialog",
  tab: "tab",
  values: filledIn,
  now,
} as const;
const corrected = { ...filledIn, phone: "010-8765-4321" };

const waiting: Waiting = pressed(undefined, { type: "pressed", ...writing });
const end = { id: "a", form: "dialog", tab: "tab", key: "a", ageMs: 0, lookedAt: now } as const;
const STATES: Record<"none" | Kept["state"], Kept | undefined> = {
  none: undefined,
  draft: next(undefined, { type: "typed", ...writing, valid: true }),
  waiting,
  refused: next(waiting, { type: "refused", sent: waiting, refusal }),
  received: { ...end, state: "received", receipt, byPress: false, seen: false },
  expired: { ...end, state: "expired", seen: false },
};
const again = { ...writing, values: corrected };
const CHANGES: Change[] = [
  { type: "typed", ...again, valid: true },
  { type: "pressed", ...again },
  { type: "unkept" },
  { type: "answered", sent: waiting, receipt, byPress: true, fresh: "k2", now },
  { type: "refused", sent: waiting, refusal },
  { type: "reused", sent: waiting, fresh: "k2" },
  { type: "later", sent: waiting },
  { type: "time", now: now + 1_000 },
  { type: "seen", now },
];

describe("next", () => {
  it("walks the table: every state with every event", () => {
    const table = CHANGES.map((change) =>
      [change.type, ...Object.values(STATES).map((kept) => next(kept, change)?.state ?? "-")].join(
        " ",
      ),
    );
    expect(table).toEqual([
      // none, draft, waiting, refused, received, expired
      "typed draft draft waiting refused received expired",
      "pressed waiting waiting waiting waiting waiting waiting",
      "unkept - draft draft draft received expired",
      "answered received received received received received received",
      "refused - draft refused refused received expired",
      "reused - draft waiting refused received expired",
      "later - draft waiting refused received expired",
      "time - draft waiting refused received expired",
      "seen - draft waiting refused received expired",
    ]);
  });

  it("keeps the valid version while a correction is half typed", () => {
    const half = { ...again, type: "typed", values: { ...filledIn, phone: "010-" } } as const;
    expect(next(waiting, { ...half, valid: false })).toEqual(waiting);
    expect(next(waiting, { ...again, type: "typed", valid: true })).toMatchObject({
      values: corrected,
    });
  });

  it("ends only the version that was answered: what came after it is a correction with its own key", () => {
    const newer = next(waiting, { type: "pressed", ...again });
    const after = next(newer, {
      type: "answered",
      sent: waiting,
      receipt,
      byPress: false,
      fresh: "k2",
      now,
    });
    expect(after).toMatchObject({ state: "waiting", values: corrected, key: "k2", corrects: "a" });
    expect(next(newer, { type: "refused", sent: waiting, refusal })).toEqual(newer);
    expect(next(newer, { type: "reused", sent: newer as Waiting, fresh: "k2" })).toMatchObject({
      key: "k2",
      corrects: "a",
    });
  });

  it("expires after an attempt past its time alone, and never by one wrong clock", () => {
    const later = { type: "later", sent: waiting } as const;
    const jumped = next(waiting, { type: "time", now: now + 8 * DAY_MS });
    expect(next(jumped, later)).toMatchObject({ state: "waiting" });
    const old = next(jumped, { type: "time", now: now + 9 * DAY_MS });
    expect(old).toMatchObject({ state: "waiting" });
    expect((old as Waiting).ageMs).toBeGreaterThanOrEqual(KEEP_MS);
    expect(next(old, later)).toMatchObject({ state: "expired" });
    const setBack = next(old, { type: "time", now });
    expect(next(setBack, later)).toMatchObject({ state: "waiting" });
  });

  it("keeps an end until it was seen, and a day longer; a draft a day", () => {
    const week = { type: "time", now: now + 6 * DAY_MS } as const;
    const unseen = next(STATES.expired, week);
    expect(unseen).toMatchObject({ state: "expired" });
    const seen = next(unseen, { type: "seen", now: now + 6 * DAY_MS });
    expect(next(seen, { type: "time", now: now + 7 * DAY_MS - 1 })).toBeDefined();
    expect(next(seen, { type: "time", now: now + 7 * DAY_MS })).toBeUndefined();
    expect(next(STATES.draft, { type: "time", now: now + DAY_MS - 1 })).toBeDefined();
    expect(next(STATES.draft, { type: "time", now: now + DAY_MS })).toBeUndefined();
  });

  it("keeps nothing of the visitor in an end, and no draft of an empty form", () => {
    const answered = next(waiting, { ...CHANGES[3], sent: waiting } as Change);
    expect(JSON.stringify([answered, STATES.expired])).not.toContain(filledIn.phone);
    const values = Object.fromEntries(Object.keys(filledIn).map((field) => [field, ""]));
    const empty = { ...again, values: { ...filledIn, ...values } };
    expect(next(STATES.draft, { type: "typed", ...empty, valid: false })).toBeUndefined();
  });
});
