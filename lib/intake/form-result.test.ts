import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { formResponse, formResultIn } from "#lib/intake/form-result.ts";
import { type IntakeResult, invalidFields } from "#lib/intake/responses.ts";
import { FIELDS } from "#testing/fixtures/request.ts";
import { anApplication } from "#testing/temporary-store.ts";

const VALUES = { ...FIELDS, age: "17" };
const REFUSED: IntakeResult = {
  ok: false,
  refusal: invalidFields({ age: ["나이는 18~100 사이의 숫자로 적어 주세요."] }),
};
const RECEIVED: IntakeResult = {
  ok: true,
  applicationId: "7K3MPQ9X",
  submittedAt: Date.parse("2026-12-01T09:30:00+09:00"),
  replayed: false,
  application: anApplication({ message: "여성 강사님으로 부탁드립니다." }),
};

function cookieOf(result: IntakeResult, values: Record<string, string> = {}, secure = false) {
  const response = formResponse(result, "contact", values, { secure });
  const cookie = response.headers.get("set-cookie") ?? "";
  return { cookie, value: /^form-result=([^;]*)/.exec(cookie)?.[1] };
}
const packed = (value: unknown) => deflateRawSync(JSON.stringify(value)).toString("base64url");

test("the browser brings back what it was given, and no page or script of another place gets it", () => {
  const { cookie, value } = cookieOf(REFUSED, VALUES);
  expect(formResultIn(value)).toMatchObject({ kind: "refused", values: VALUES });
  expect(cookie).toMatch(/; Path=\/contact\/result; Max-Age=1800; HttpOnly; SameSite=Lax$/);
  expect(cookieOf(REFUSED, VALUES, true).cookie).toMatch(/; Secure$/);
});

test("a receipt has everything that it shows, and not the message", () => {
  expect(formResultIn(cookieOf(RECEIVED).value)).toEqual({
    kind: "received",
    form: "contact",
    receipt: { applicationId: "7K3MPQ9X", submittedAt: "2026-12-01T09:30:00.000+09:00" },
    application: { ...(RECEIVED.ok && RECEIVED.application), message: "" },
  });
});

/** `count` characters that do not repeat, `step` apart from each other. */
const characters = (first: number, range: number, count: number) =>
  Array.from({ length: count }, (_, index) =>
    String.fromCodePoint(first + ((index * index * 7_919 + index * 104_729) % range)),
  ).join("");

test.each([
  ["Korean", characters(0xac00, 11_172, 1_000)],
  ["Chinese", characters(0x4e00, 20_000, 1_000)],
  ["emoji", characters(0x1f300, 1_500, 1_000)],
])(
  "a message of 1,000 characters of %s comes back whole, in headers that no browser and no proxy drops",
  (_, message) => {
    const name = characters(0xac00, 11_172, 50);
    const { cookie, value } = cookieOf(REFUSED, { ...VALUES, name, message });
    expect(cookie.length).toBeLessThanOrEqual(3_750);
    expect(formResultIn(value)).toMatchObject({ values: { ...VALUES, name, message } });
  },
);

/** A text that hardly packs. */
const dense = (count: number) =>
  Array.from({ length: count }, (_, index) => ((index * index * 7_919) % 9_973).toString(36)).join(
    "",
  );

test.each([
  [["message"]],
  [["message", "name"]],
  [["message", "name", "phone", "region", "preferredDate"]],
])("of what cannot fit the longest texts are left out, and the rest comes back: %j", (long) => {
  const texts = Object.fromEntries(long.map((field, index) => [field, dense(5_000 - index)]));
  const { cookie, value } = cookieOf(REFUSED, { ...VALUES, ...texts });
  expect(cookie.length).toBeLessThanOrEqual(3_750);
  const others = Object.entries(VALUES).filter(([field]) => !long.includes(field));
  expect(formResultIn(value)).toMatchObject({
    kind: "refused",
    errors: { age: [expect.any(String)] },
    values: Object.fromEntries(others),
  });
});

test.each([
  ["nothing", undefined],
  ["an empty cookie", ""],
  ["a cut one", cookieOf(REFUSED, VALUES).value?.slice(0, 40)],
  ["no packed data", "nonsense"],
  ["no JSON", deflateRawSync("<p>").toString("base64url")],
  ["another shape", packed({ kind: "received", form: "contact" })],
  [
    "a made-up number",
    packed({
      kind: "received",
      form: "contact",
      receipt: { applicationId: "<b>", submittedAt: "2026-12-01T09:30:00.000+09:00" },
      application: FIELDS,
    }),
  ],
  [
    "a made-up time",
    packed({
      kind: "received",
      form: "contact",
      receipt: { applicationId: "7K3MPQ9X", submittedAt: "soon" },
      application: FIELDS,
    }),
  ],
  [
    "no application",
    packed({
      kind: "received",
      form: "contact",
      receipt: { applicationId: "7K3MPQ9X", submittedAt: "2026-12-01T09:30:00.000+09:00" },
      application: { ...FIELDS, age: 3 },
    }),
  ],
  ["a bomb", packed("0".repeat(10_000_000))],
])("%s is no result", (_, cookie) => {
  expect(formResultIn(cookie)).toBe(undefined);
});
