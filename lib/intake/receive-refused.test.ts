import { expect } from "vitest";
import { FIELD_NAMES, OPTIONAL_FIELDS } from "#lib/application/fields.ts";
import { VALID_FIELDS } from "#testing/fixtures/valid-fields.ts";
import { bodyWithField, callIntake, type IntakeRequest } from "#testing/site/call-intake.ts";
import { JSON_HEADERS } from "#testing/site/client.ts";
import { testWithStore as test } from "#testing/storage/temporary-store.ts";

const REQUIRED = FIELD_NAMES.filter((field) => !OPTIONAL_FIELDS.includes(field));

const jsonRequest = (body: BodyInit): IntakeRequest => ({ body, headers: JSON_HEADERS });
const withContentType = (type: string): IntakeRequest => ({ headers: { "content-type": type } });
const withHeaders = (headers: Record<string, string>): IntakeRequest => ({
  headers: { ...JSON_HEADERS, ...headers },
});
const HOST = "elsewhere.example";
const ELSEWHERE = `https://${HOST}`;
const SIBLING = "https://blog.site.example";
/** The name is not UTF-8. A lenient decoder would store other characters. */
const NOT_UTF_8 = Buffer.from(JSON.stringify(VALID_FIELDS));
NOT_UTF_8.fill(0xff, NOT_UTF_8.indexOf("홍"), NOT_UTF_8.indexOf("길"));

test.for<[what: string, status: number, sent: IntakeRequest]>([
  ["a number of 15,000 digits", 400, jsonRequest(`{"age":${"9".repeat(15_000)}}`)],
  ["a number of a million digits", 413, jsonRequest(`{"age":${"9".repeat(1_000_000)}}`)],
  ["a text of 15,000 digits", 400, jsonRequest(bodyWithField("phone", "0".repeat(15_000)))],
  ["deep arrays", 400, jsonRequest("[".repeat(8_000) + "]".repeat(8_000))],
  ["deep objects", 400, jsonRequest(`{"name":${'{"a":'.repeat(2_500)}1${"}".repeat(2_501)}`)],
  ["an empty body", 400, jsonRequest("")],
  ["half a document", 400, jsonRequest('{"name":')],
  ["bytes that are no UTF-8", 400, jsonRequest(NOT_UTF_8)],
  ["UTF-16", 400, jsonRequest(Buffer.from(JSON.stringify(VALID_FIELDS), "utf16le"))],
  ["another charset", 415, withContentType("application/json; charset=euc-kr")],
  ["a charset like UTF-8", 415, withContentType("application/json; charset=utf-80")],
  ["a compressed body", 415, withHeaders({ "content-encoding": "gzip" })],
  ["plain text", 415, withContentType("text/plain")],
  ["a multipart form", 415, withContentType("multipart/form-data; boundary=x")],
  ["no type at all", 415, { body: Buffer.from(JSON.stringify(VALID_FIELDS)), headers: {} }],
  ["an empty key", 400, withHeaders({ "idempotency-key": "" })],
  ["a key with a tab", 400, withHeaders({ "idempotency-key": "a\tb" })],
  ["a key with an umlaut", 400, withHeaders({ "idempotency-key": "schlüssel" })],
  ["a key of 256 characters", 400, withHeaders({ "idempotency-key": "k".repeat(256) })],
  ["another site's page", 403, withHeaders({ "sec-fetch-site": "cross-site" })],
  ["another origin", 403, withHeaders({ origin: ELSEWHERE })],
  ["an origin that is hidden", 403, withHeaders({ origin: "null" })],
  ["a sibling site", 403, withHeaders({ "sec-fetch-site": "same-site", origin: SIBLING })],
  ["a forged host", 403, withHeaders({ origin: ELSEWHERE, "x-forwarded-host": HOST })],
])("a request is refused with $1 for $0 [28]", async ([, expected, sent]) => {
  const { status, body, headers } = await callIntake(sent);
  expect(status).toBe(expected);
  expect(body).toMatchObject({ success: false, message: expect.stringMatching(/[가-힣]/) });
  expect(headers.get("cache-control")).toBe("no-store");
});

const INHERITED = ["__proto__", "constructor"].map((key) => `{"${key}":{"name":"x"}}`);
test.for(["null", "[]", "5", ...INHERITED])(
  "a body of %s gets an error for every required field [28]",
  async (body) => {
    const { errors } = (await callIntake({ body })).body;
    expect(Object.keys(errors).toSorted()).toEqual(REQUIRED.toSorted());
  },
);

const bodyOfBytes = (bytes: number) => {
  const text = JSON.stringify(VALID_FIELDS);
  return [text, " ".repeat(bytes - Buffer.byteLength(text))];
};
const ENDLESS = Array<string>(2_000).fill("x".repeat(1_024));

type Then = "ends" | "stalls" | "breaks";
test.for<[what: string, status: number, chunks: string[], then: Then, bytesLeft?: number]>([
  ["of 16 KiB in two chunks", 200, bodyOfBytes(16_384), "ends"],
  ["of 16 KiB and a byte", 413, bodyOfBytes(16_385), "ends"],
  ["that never ends", 413, ENDLESS, "stalls", 900_000],
  ["whose Content-Length is above the limit", 413, ["{", "}"], "ends"],
  ["that stalls", 408, ['{"name":'], "stalls"],
  ["whose connection breaks", 400, ['{"name":'], "breaks"],
])(
  "a request with a body %s gets the status %i [27]",
  async ([what, expected, chunks, then, bytesLeft = 0], { store }) => {
    const waiting = chunks.map((chunk) => new TextEncoder().encode(chunk));
    const body = new ReadableStream({
      pull(controller) {
        const next = waiting.shift();
        if (next) controller.enqueue(next);
        else if (then === "ends") controller.close();
        else if (then === "breaks") controller.error(new Error("connection reset"));
        else return new Promise(() => {});
      },
    });
    const hasLength = what.includes("Content-Length");
    const headers = hasLength ? withHeaders({ "content-length": "16385" }) : {};
    const bodyTimeLimitMs = expected === 408 ? 30 : 10_000;
    const answer = await callIntake({ ...headers, body, store, bodyTimeLimitMs });
    const isUnderWay = [408, 413].includes(expected);
    expect(answer.status).toBe(expected);
    expect(answer.headers.get("connection")).toBe(isUnderWay ? "close" : null);
    expect(Buffer.concat(waiting).length).toBeGreaterThanOrEqual(bytesLeft);
  },
);
