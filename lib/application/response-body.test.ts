import { expect, it } from "vitest";
import { parseReceipt, parseRefusal } from "#lib/application/response-body.ts";

const receipt = { applicationId: "7K3MPQ9X", submittedAt: "2026-12-01T09:30:00.000+09:00" };

it("parseReceipt accepts a real receipt, with or without the hyphen", () => {
  expect(parseReceipt({ success: true, message: "", data: receipt })).toEqual(receipt);
  expect(parseReceipt({ success: true, data: { ...receipt, applicationId: "7K3M-PQ9X" } })).toEqual(
    receipt,
  );
});

it.each([
  ["a captive portal's page", "<html>"],
  ["an empty body", null],
  ["success as a text", { success: "true", data: receipt }],
  ["a body with success: false", { success: false, data: receipt }],
  ["a body without data", { success: true }],
  ["a receipt without a number", { success: true, data: { submittedAt: receipt.submittedAt } }],
  [
    "a number of look-alike characters",
    { success: true, data: { ...receipt, applicationId: "O0O0O0O0" } },
  ],
  ["a receipt without a valid time", { success: true, data: { ...receipt, submittedAt: "soon" } }],
  ["an array", [{ success: true, data: receipt }]],
])("parseReceipt returns undefined for %s", (_, body) => {
  expect(parseReceipt(body)).toBeUndefined();
});

it("parseRefusal reads the message and the first error of each field", () => {
  const errors = { age: ["a", "b"], name: "n", phone: [] };
  const refusal = parseRefusal({ success: false, message: "m", errors });
  expect(refusal).toEqual({ errorText: "m", errors: { age: "a" } });
});

it("parseRefusal returns undefined for a body that is no refusal", () => {
  const body = { success: false, message: 5, errors: "x" };
  for (const each of [null, "x", [], body, { message: "m" }, { success: true, message: "m" }])
    expect(parseRefusal(each)).toBeUndefined();
  expect(parseRefusal({ ...body, message: "m" })).toEqual({ errorText: "m", errors: {} });
});
