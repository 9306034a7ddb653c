import { describe, expect, it } from "vitest";
import {
  type Change,
  KEEP_MS,
  type Kept,
  next,
  type Outcome,
  pressed,
  type Waiting,
} from "#lib/browser/record.ts";
import { filledIn, receipt } from "#testing/fixtures/browser-application.ts";

const DAY_MS = 86_400_000;
const now = Date.UTC(2026, 11, 1);
const refusal = { errorText: "확인해 주세요.", errors: {} };
const writing = {
  id: "a",
  form: "dialog",
  tab: "tab",
  values: filledIn,
  now,
} as const;
const corrected = { ...filledIn, phone: "010-8765-4321" };

const later = { kind: "later", errorText: undefined, reason: undefined } as const;
const answered = (sent: Waiting, outcome: Outcome, isKept = true): Change => ({
  type: "answered",
  sent,
  outcome,
  byPress: false,
  isKept,
  now,
});

const passed = (ms: number) => ({ type: "time", now: now + ms, isLook: false }) as const;

const waiting: Waiting = pressed(undefined, { type: "pressed", ...writing });
const end = { id: "a", form: "dialog", tab: "tab", key: "a", ageMs: 0, lookedAt: now } as const;
const STATES: Record<"none" | Kept["state"], Kept | undefined> = {
  none: undefined,
  draft: next(undefined, { type: "typed", ...writing, valid: true }),
  waiting,
  refused: next(waiting, answered(waiting, { kind: "refused", refusal })),
  received: { ...end, state: "received", receipt, byPress: false, seen: false },
  expired: { ...end, state: "expired", seen: false },
};
const again = { ...writing, values: corrected };
const CHANGES: [name: string, change: Change][] = [
  ["typed", { type: "typed", ...again, valid: true }],
  ["pressed", { type: "pressed", ...again }],
  ["received", answered(waiting, { kind: "received", receipt })],
  ["refused", answered(waiting, { kind: "refused", refusal })],
  ["refused, never kept", answered(waiting, { kind: "refused", refusal }, false)],
  ["reused", answered(waiting, { ...later, kind: "reused" })],
  ["later", answered(waiting, later)],
  ["later, never kept", answered(waiting, later, false)],
  ["time", passed(1_000)],
];

describe("next", () => {
  it("walks the table: every state with every event", () => {
    const table = CHANGES.map(([name, change]) =>
      [name, ...Object.values(STATES).map((kept) => next(kept, change)?.state ?? "-")].join(" "),
    );
    expect(table).toEqual([
      // none, draft, waiting, refused, received, expired
      "typed draft draft waiting refused received expired",
      "pressed waiting waiting waiting waiting waiting waiting",
      "received received received received received received received",
      "refused - draft refused refused received expired",
      "refused, never kept - draft draft refused received expired",
      "reused - draft waiting refused received expired",
      "later - draft waiting refused received expired",
      "later, never kept - draft draft refused received expired",
      "time - draft waiting refused received expired",
    ]);
  });

  it("ends only the answered version, and gives a later correction its own key", () => {
    const newer = next(waiting, { type: "pressed", ...again });
    const after = next(newer, answered(waiting, { kind: "received", receipt }));
    const correction = { state: "waiting", values: corrected, key: "a-" };
    expect(after).toMatchObject(correction);
    expect(next(newer, answered(waiting, { kind: "refused", refusal }))).toEqual(newer);
    const reused = answered(newer as Waiting, { ...later, kind: "reused" });
    expect(next(newer, reused)).toMatchObject(correction);
    expect(next(STATES.received, { type: "pressed", ...again })).toMatchObject(correction);
  });

  it("expires after an attempt past its time alone, and never by one wrong clock", () => {
    const inVain = answered(waiting, later);
    const jumped = next(waiting, passed(8 * DAY_MS));
    expect(next(jumped, inVain)).toMatchObject({ state: "waiting" });
    const old = next(jumped, passed(9 * DAY_MS));
    expect(old).toMatchObject({ state: "waiting" });
    expect((old as Waiting).ageMs).toBeGreaterThanOrEqual(KEEP_MS);
    expect(next(old, inVain)).toMatchObject({ state: "expired" });
    const setBack = next(old, passed(0));
    expect(next(setBack, inVain)).toMatchObject({ state: "waiting" });
  });

  it("stays refused, and marked, while it is corrected", () => {
    const marked = { ...STATES.refused, correctIn: "tab" } as Kept;
    expect(next(marked, passed(1_000))).toMatchObject({ correctIn: "tab" });
    const typed = next(marked, { type: "typed", ...again, valid: false });
    expect(typed).toMatchObject({ state: "refused", values: corrected, correctIn: "tab" });
    expect(next(marked, { type: "pressed", ...again })).not.toHaveProperty("correctIn");
  });

  it("keeps a draft for a day, and an end for a day after it was seen", () => {
    const unseen = next(STATES.expired, passed(6 * DAY_MS));
    expect(unseen).toMatchObject({ state: "expired" });
    const seen = next(unseen, { ...passed(6 * DAY_MS), isLook: true });
    expect(next(seen, passed(7 * DAY_MS - 1))).toBeDefined();
    expect(next(seen, passed(7 * DAY_MS))).toBeUndefined();
    expect(next(STATES.draft, passed(DAY_MS - 1))).toBeDefined();
    expect(next(STATES.draft, passed(DAY_MS))).toBeUndefined();
  });

  it("keeps nothing of the visitor in an end, and no draft of an empty form", () => {
    const ended = next(waiting, answered(waiting, { kind: "received", receipt }));
    expect(JSON.stringify([ended, STATES.expired])).not.toContain(filledIn.phone);
    const values = Object.fromEntries(Object.keys(filledIn).map((field) => [field, ""]));
    const empty = { ...again, values: { ...filledIn, ...values } };
    expect(next(STATES.draft, { type: "typed", ...empty, valid: false })).toBeUndefined();
  });
});
