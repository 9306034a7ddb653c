import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { FIELD_NAMES, OPTIONAL_FIELDS } from "#lib/application/fields.ts";
import { anyText } from "#testing/any-text.ts";
import { FIELDS } from "#testing/fixtures/request.ts";
import { JSON_TYPE, type Sent, send, storeThat, withField } from "#testing/sent-application.ts";
import { TEST_NOW, temporaryStore } from "#testing/temporary-store.ts";

const REQUIRED = FIELD_NAMES.filter((field) => !OPTIONAL_FIELDS.includes(field));

const without = (field: string) => JSON.stringify({ ...FIELDS, [field]: undefined });

const json = (body: BodyInit) => ({ body, headers: JSON_TYPE });
const under = (headers: Record<string, string>) => ({ headers: { ...JSON_TYPE, ...headers } });

describe("what is wrong is refused and never reaches the store", () => {
  const REFUSED: [what: string, status: number, sent: Sent][] = [
    ...REQUIRED.map((field): [string, number, Sent] => [`no ${field}`, 400, json(without(field))]),
    ["a number of 15,000 digits", 400, json(`{"age":${"9".repeat(15_000)}}`)],
    ["a number of a million digits", 413, json(`{"age":${"9".repeat(1_000_000)}}`)],
    ["a text of 15,000 digits", 400, json(withField("phone", "0".repeat(15_000)))],
    ["__proto__", 400, json('{"__proto__":{"name":"x"}}')],
    ["constructor.prototype", 400, json('{"constructor":{"prototype":{"name":"x"}}}')],
    ["deep arrays", 400, json("[".repeat(8_000) + "]".repeat(8_000))],
    ["deep objects in a field", 400, json(`{"name":${'{"a":'.repeat(2_500)}1${"}".repeat(2_501)}`)],
    ["null", 400, json("null")],
    ["a list", 400, json("[]")],
    ["a bare text", 400, json('"x"')],
    ["nothing", 400, json("")],
    ["half a document", 400, json('{"name":')],
    ["bytes that are no UTF-8", 400, json(Buffer.from([0x7b, 0xff, 0x7d]))],
    ["UTF-16", 400, json(Buffer.from(JSON.stringify(FIELDS), "utf16le"))],
    ["another charset", 415, { headers: { "content-type": "application/json; charset=euc-kr" } }],
    ["a compressed body", 415, { headers: { ...JSON_TYPE, "content-encoding": "gzip" } }],
    ["plain text", 415, { headers: { "content-type": "text/plain" } }],
    ["a multipart form", 415, { headers: { "content-type": "multipart/form-data; boundary=x" } }],
    ["no type at all", 415, { body: Buffer.from(JSON.stringify(FIELDS)), headers: {} }],
    ["an empty key", 400, under({ "idempotency-key": "" })],
    ["a key with a tab", 400, under({ "idempotency-key": "a\tb" })],
    ["a key with an umlaut", 400, under({ "idempotency-key": "schlüssel" })],
    ["a key of 256 characters", 400, under({ "idempotency-key": "k".repeat(256) })],
    ["a key to correct of 256 characters", 400, under({ "corrects-key": "k".repeat(256) })],
    ["an empty key to correct", 400, under({ "corrects-key": "" })],
    ["another site's page", 403, under({ "sec-fetch-site": "cross-site" })],
    ["another origin", 403, under({ origin: "https://elsewhere.example" })],
    ["an origin that is hidden", 403, under({ origin: "null" })],
    [
      "a sibling site",
      403,
      under({ "sec-fetch-site": "same-site", origin: "https://blog.site.example" }),
    ],
    [
      "another origin with a forged X-Forwarded-Host",
      403,
      under({ origin: "https://elsewhere.example", "x-forwarded-host": "elsewhere.example" }),
    ],
  ];
  test.each(REFUSED)("%s → %i", async (_what, expected, sent) => {
    const { status, body, headers } = await send(sent);
    expect(status).toBe(expected);
    expect(body).toMatchObject({ success: false, message: expect.stringMatching(/[가-힣]/) });
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test("each wrong field is named, and nothing of the input comes back", async () => {
    const body = JSON.stringify({ ...FIELDS, name: "", age: "카나리아", region: "<b>카나리아" });
    const answer = await send({ body });
    expect(Object.keys(answer.body.errors)).toEqual(["name", "age", "region"]);
    expect(answer.text).not.toContain("카나리아");
  });

  test("whatever JSON comes, the answer is 200 or 400 in the contract's shape", async () => {
    const store = storeThat(async () => ({
      outcome: "stored",
      applicationId: "AAAAAAAA",
      submittedAt: TEST_NOW,
    }));
    const odd = fc.oneof(fc.jsonValue(), anyText(), fc.double());
    const fields = FIELD_NAMES.map((field) => [field, fc.oneof(odd, fc.constant(FIELDS[field]))]);
    await fc.assert(
      fc.asyncProperty(fc.record(Object.fromEntries(fields)), async (value) => {
        const { status, body } = await send({ body: JSON.stringify(value), store });
        expect([200, 400]).toContain(status);
        expect(body.success).toBe(status === 200);
      }),
    );
  }, 60_000);
});

describe("the body", () => {
  const streamOf = (chunks: string[], after: "ends" | "stalls" | "breaks") => {
    const waiting = chunks.map((chunk) => new TextEncoder().encode(chunk));
    const cancelled = vi.fn();
    const stream = new ReadableStream({
      pull(controller) {
        const next = waiting.shift();
        if (next) controller.enqueue(next);
        else if (after === "ends") controller.close();
        else if (after === "breaks") controller.error(new Error("connection reset"));
        else return new Promise(() => {});
      },
      cancel: cancelled,
    });
    return { stream, cancelled, left: () => waiting.length };
  };

  test("of 16 KiB in pieces is put together, one byte more is not", async () => {
    await using temporary = temporaryStore();
    const text = JSON.stringify(FIELDS);
    const pieces = (bytes: number) => [text, " ".repeat(bytes - Buffer.byteLength(text))];
    const { stream } = streamOf(pieces(16_384), "ends");
    expect((await send({ body: stream, store: temporary.store })).status).toBe(200);
    expect((await send({ body: streamOf(pieces(16_385), "ends").stream })).status).toBe(413);
  });

  const ENDLESS = Array<string>(1_000).fill("x".repeat(1_024));
  test.for<[what: string, chunks: string[], headers: Record<string, string>, status: number]>([
    [
      "too long by its own account is not read",
      ["{", "}", "x"],
      { "content-length": "16385" },
      413,
    ],
    ["without a length is cut off once it is too long", ENDLESS, {}, 413],
    ["that stalls is given up after the time limit", ['{"name":'], {}, 408],
  ])("%s, and the connection is closed", async ([, chunks, headers, status]) => {
    const { stream, cancelled, left } = streamOf(chunks, "stalls");
    const sent = { ...under(headers), body: stream, bodyTimeLimitMs: status === 408 ? 30 : 10_000 };
    const answer = await send(sent);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("connection")).toBe("close");
    if (status === 413) expect(left()).toBeGreaterThan(chunks.length * 0.3);
    if (!("content-length" in headers)) expect(cancelled).toHaveBeenCalled();
  });

  test("whose connection breaks is refused as incomplete", async () => {
    const { stream } = streamOf(['{"name":'], "breaks");
    expect((await send({ body: stream })).status).toBe(400);
  });
});

test("bytes that are no UTF-8 are refused, not stored as other characters", async () => {
  const [before = "", after = ""] = JSON.stringify(FIELDS).split("홍길동");
  const body = Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xfe]), Buffer.from(after)]);
  expect((await send({ body })).status).toBe(400);
});

test.each(["null", "[]", '"x"', "5"])("of %s every field is missing", async (body) => {
  const { errors } = (await send({ body })).body;
  expect(Object.keys(errors).toSorted()).toEqual(REQUIRED.toSorted());
});
