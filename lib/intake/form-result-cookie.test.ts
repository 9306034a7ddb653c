import { brotliCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { formResponse, parseFormResult } from "#lib/intake/form-result-cookie.ts";
import { type IntakeResult, refusals } from "#lib/intake/responses.ts";
import { contentPolicy, securityHeaders } from "#server/content-policy.ts";
import { VALID_FIELDS } from "#testing/fixtures/valid-fields.ts";
import { anApplication } from "#testing/storage/temporary-store.ts";

const ENTERED_VALUES = { ...VALID_FIELDS, age: "32", message: "여성 강사님으로 부탁드립니다." };
const ERRORS = {
  age: ["이 신청서는 18세부터 100세까지 쓰실 수 있습니다. 나이를 숫자로 적어 주세요."],
};
const REFUSED_RESULT: IntakeResult = { ok: false, refusal: refusals.invalid(ERRORS) };
const RECEIVED_RESULT: IntakeResult = {
  ok: true,
  applicationId: "7K3MPQ9X",
  submittedAt: Date.parse("2026-12-01T09:30:00+09:00"),
  replayed: false,
  application: anApplication(),
};
const RECEIPT = { applicationId: "7K3MPQ9X", submittedAt: "2026-12-01T09:30:00.000+09:00" };

/** The bytes of all response headers, also of those that the server adds to every response. */
function headerBytes(values: Record<string, string>): number {
  const { headers } = formResponse(REFUSED_RESULT, "contact", values, { secure: true });
  const lines = Object.entries({
    ...securityHeaders({ siteUrl: "https://practice.test" }),
    "content-security-policy": contentPolicy([`'nonce-${"a".repeat(24)}'`]),
    ...Object.fromEntries(headers),
    "content-length": "0",
    date: new Date().toUTCString(),
    connection: "keep-alive",
    "keep-alive": "timeout=65",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.byteLength(["HTTP/1.1 303 See Other\r\n", ...lines, "\r\n"].join(""));
}

function cookieOf(result: IntakeResult, values: Record<string, string> = ENTERED_VALUES) {
  const response = formResponse(result, "contact", values, { secure: false });
  const cookie = response.headers.get("set-cookie") ?? "";
  return { cookie, value: /^form-result=([^;]*)/.exec(cookie)?.[1] };
}

test("the cookie carries the result of a form to the result page", () => {
  const { cookie, value } = cookieOf(REFUSED_RESULT);
  expect(parseFormResult(value)).toMatchObject({
    kind: "refused",
    errors: ERRORS,
    values: ENTERED_VALUES,
  });
  expect(cookie).toMatch(/; Path=\/contact\/result; Max-Age=1800; HttpOnly; SameSite=Lax$/);
  const application = {
    name: "홍길동",
    phone: "+821012345678",
    age: 32,
    message: ENTERED_VALUES.message,
  };
  const received = { kind: "received", form: "contact", receipt: RECEIPT, application };
  expect(parseFormResult(cookieOf(RECEIVED_RESULT).value)).toMatchObject(received);
});

const characters = (first: number, range: number, count: number) =>
  Array.from({ length: count }, (_, index) =>
    String.fromCodePoint(first + ((index * index * 7_919 + index * 104_729) % range)),
  ).join("");

test.for([
  ["Korean", characters(0xac00, 11_172, 1_000)],
  ["Chinese", characters(0x4e00, 20_000, 1_000)],
  ["emoji", characters(0x1f300, 1_500, 1_000)],
] as const)("a message of 1,000 %s characters fits the cookie", ([, message]) => {
  const values = { ...ENTERED_VALUES, name: characters(0xac00, 11_172, 50), message };
  const { value } = cookieOf(REFUSED_RESULT, values);
  expect(headerBytes(values)).toBeLessThan(3_850);
  expect(parseFormResult(value)).toMatchObject({ values });
});

const LONG = [[["message"]], [["message", "name", "phone", "region", "preferredDate"]]];
test.for(LONG)("a cookie that would be too long leaves out long texts: %j", ([long = []]) => {
  const texts = long.map((field, index) => [field, characters(33, 20_000, 5_000 - index)]);
  const values = { ...ENTERED_VALUES, ...Object.fromEntries(texts) };
  const { value } = cookieOf(REFUSED_RESULT, values);
  expect(headerBytes(values)).toBeLessThan(3_850);
  const others = Object.entries(ENTERED_VALUES).filter(([field]) => !long.includes(field));
  expect(parseFormResult(value)).toMatchObject({ kind: "refused", errors: ERRORS });
  expect(parseFormResult(value)).toMatchObject({ values: Object.fromEntries(others) });
});

test("a cookie that is full of errors leaves out every value", () => {
  const errors = { age: [characters(33, 20_000, 5_000)] };
  const { value } = cookieOf({ ok: false, refusal: refusals.invalid(errors) });
  expect(parseFormResult(value)).toMatchObject({ errors, values: {} });
});

const compress = (value: unknown) =>
  brotliCompressSync(JSON.stringify(value)).toString("base64url");
const MADE_UP = { form: "contact", values: ENTERED_VALUES, receipt: RECEIPT };

test.for([
  ["a missing cookie", undefined],
  ["a truncated cookie", cookieOf(REFUSED_RESULT).value?.slice(0, 40)],
  ["a cookie without compressed data", "nonsense"],
  ["a cookie without JSON", brotliCompressSync("<p>").toString("base64url")],
  ["a cookie of another shape", compress({ form: "contact" })],
  ["a made-up number", compress({ ...MADE_UP, receipt: { ...RECEIPT, applicationId: "<b>" } })],
  ["a made-up time", compress({ ...MADE_UP, receipt: { ...RECEIPT, submittedAt: "soon" } })],
  ["a cookie with a wrong age", compress({ ...MADE_UP, values: { ...ENTERED_VALUES, age: "3" } })],
  ["a compressed bomb", compress({ ...MADE_UP, bomb: "0".repeat(10_000_000) })],
] as const)("no result is read from %s", ([, cookie]) =>
  expect(parseFormResult(cookie)).toBe(undefined),
);
