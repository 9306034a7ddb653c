import { expect, it } from "vitest";
import { receiptIn, refusalIn } from "#lib/application/answer.ts";

const receipt = { applicationId: "7K3MPQ9X", submittedAt: "2026-12-01T09:30:00.000+09:00" };

it("receiptIn takes a real receipt, with or without the hyphen", () => {
  expect(receiptIn({ success: true, message: "", data: receipt })).toEqual(receipt);
  expect(receiptIn({ success: true, data: { ...receipt, applicationId: "7K3M-PQ9X" } })).toEqual(
    receipt,
  );
});

it.each([
  ["a captive portal's page", "<html>"],
  ["nothing", null],
  ["success as a text", { success: "true", data: receipt }],
  ["success: false", { success: false, data: receipt }],
  ["no data", { success: true }],
  ["no number", { success: true, data: { submittedAt: receipt.submittedAt } }],
  ["look-alikes", { success: true, data: { ...receipt, applicationId: "O0O0O0O0" } }],
  ["no time", { success: true, data: { ...receipt, submittedAt: "soon" } }],
  ["an array", [{ success: true, data: receipt }]],
])("receiptIn takes %s for no receipt", (_, body) => {
  expect(receiptIn(body)).toBeUndefined();
});

it("refusalIn reads the message and the first sentence of each field", () => {
  const errors = { age: ["a", "b"], name: "n", phone: [] };
  const refusal = refusalIn({ success: false, message: "m", errors });
  expect(refusal).toEqual({ errorText: "m", errors: { age: "a" } });
});

it("refusalIn makes nothing of nonsense", () => {
  const body = { success: false, message: 5, errors: "x" };
  for (const each of [null, "x", [], body, { message: "m" }, { success: true, message: "m" }])
    expect(refusalIn(each)).toBeUndefined();
  expect(refusalIn({ ...body, message: "m" })).toEqual({ errorText: "m", errors: {} });
});
