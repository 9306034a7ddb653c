import { expect, it } from "vitest";
import {
  applyOutcome,
  type Entry,
  isExpiredReceipt,
  isWaiting,
  type SendOutcome,
} from "#lib/browser/entry.ts";
import { filledInValues, receipt } from "#testing/fixtures/browser-application.ts";

const refusal = { errorText: "확인", errors: { phone: "전화번호" } };
const kept: Entry = { id: "a", form: "dialog", values: filledInValues, at: 1 };
const refused: Entry = { ...kept, refusal };
const received: Entry = { id: "a", at: 2, receipt };
const OUTCOMES: Record<SendOutcome["kind"], SendOutcome> = {
  received: { kind: "received", receipt },
  refused: { kind: "refused", refusal },
  later: { kind: "later", errorText: undefined, reason: "busy" },
};

it.each([
  ["missing: a receipt", undefined, { received, refused: undefined, later: undefined }],
  ["kept: a receipt or a refusal", kept, { received, refused, later: kept }],
  ["refused: a receipt", refused, { received, refused, later: refused }],
  ["received: none", received, { received, refused: received, later: received }],
] as const)("only these outcomes change an entry that is %s [68]", (_, entry, after) => {
  for (const kind of ["received", "refused", "later"] as const)
    expect(applyOutcome(entry, "a", OUTCOMES[kind], 2), kind).toEqual(after[kind]);
});

it("only a kept application without a refusal waits", () => {
  expect([kept, refused, received].map(isWaiting)).toEqual([true, false, false]);
});

it("only a receipt expires, after seven days [71]", () => {
  const week = 7 * 86_400_000;
  const isOver = (entry: Entry, weeks: number) => isExpiredReceipt(entry, entry.at + weeks * week);
  expect([isOver(received, 0.99), isOver(received, 1.01)]).toEqual([false, true]);
  expect([isOver(kept, 99), isOver(refused, 99), isOver(received, -99)]).toEqual([
    false,
    false,
    false,
  ]);
});
