import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { receiptIn } from "#lib/application/answer.ts";
import { FIELD_NAMES } from "#lib/application/fields.ts";
import { answerMessages } from "#lib/application/messages.ts";
import { formResultIn } from "#lib/intake/form-result.ts";
import { type Limits, openLimits } from "#lib/intake/limits.ts";
import { receiveApplication } from "#lib/intake/receive.ts";
import { processGlobals } from "#lib/process-globals.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { Store } from "#lib/storage/store.ts";
import { FIELDS } from "#testing/fixtures/request.ts";
import { TEST_NOW, temporaryStore } from "#testing/temporary-store.ts";

const SITE = "https://site.example";
const URL_OF = {
  sms: `${SITE}/api/sms/training-application`,
  mail: `${SITE}/api/mail/training-application`,
};
const FORM_OF = { sms: "dialog", mail: "contact" } as const;
const JSON_TYPE = { "content-type": "application/json", host: "site.example" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded", host: "site.example" };

afterEach(() => {
  delete processGlobals.worker;
});

interface Sent {
  channel?: "sms" | "mail";
  body?: BodyInit;
  headers?: Record<string, string>;
  store?: Store;
  bodyTimeLimitMs?: number;
  now?: number;
  limits?: Limits;
  address?: string;
}

const roomyLimits = openLimits({
  addressRequestsPerMinute: 100_000,
  addressApplicationsPer10Minutes: 100_000,
  totalApplicationsPerMinute: 100_000,
});

/** Sends a request to a route, into a store that is asked for nothing unless one is named. */
async function send({
  channel = "sms",
  body = JSON.stringify(FIELDS),
  headers = JSON_TYPE,
  store = unusedStore,
  bodyTimeLimitMs = 10_000,
  now = TEST_NOW,
  limits = roomyLimits,
  address = "192.0.2.1",
}: Sent = {}) {
  const init = { method: "POST", headers, body, duplex: "half" } as const;
  const response = await receiveApplication(
    new Request(URL_OF[channel], init),
    { channel, form: FORM_OF[channel] },
    { store, siteUrl: SITE, now: () => now, bodyTimeLimitMs, limits, address },
  );
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

function parsed(text: string) {
  return text === "" ? undefined : JSON.parse(text);
}

/** What the page shows to the browser that got these headers. */
function resultIn(headers: Headers) {
  return formResultIn(/^form-result=([\w-]*); /.exec(headers.get("set-cookie") ?? "")?.[1]);
}

/** Any use of it is a fault of the test's subject, which would show as a 500. */
const unusedStore = new Proxy<Store>(Object.create(null), {
  get: () => {
    throw new Error("a refused request must not reach the store");
  },
});

function storeThat(accept: Store["accept"]): Store {
  return new Proxy<Store>(Object.create(null), { get: () => accept });
}

describe("a valid application", () => {
  test("is stored, answered with its number and Seoul's time, and wakes the worker", async () => {
    await using temporary = temporaryStore();
    const wake = vi.fn();
    processGlobals.worker = { wake, status: () => ({ state: "running", lastTurnAt: undefined }) };
    const { status, headers, body } = await send({ store: temporary.store });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: expect.stringMatching(/[가-힣]/),
      data: {
        applicationId: expect.stringMatching(/^[2-9A-HJKMNP-TV-Z]{8}$/),
        submittedAt: "2026-12-01T09:30:00.000+09:00",
      },
    });
    expect(receiptIn(body)).toEqual(body.data);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.has("idempotency-replayed")).toBe(false);
    expect(wake).toHaveBeenCalledOnce();

    const [delivery] = await temporary.store.leaseDue({ now: TEST_NOW, leaseMs: 1, limit: 9 });
    expect(delivery).toMatchObject({
      applicationId: body.data.applicationId,
      channel: "sms",
      application: {
        ...FIELDS,
        phone: "+821012345678",
        gender: "female",
        dayType: "weekday",
        timeSlot: "morning",
        carType: "own",
      },
    });
  });

  test("sent again without a key is replayed for a minute", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    const first = await send({ store });
    const second = await send({ store, now: TEST_NOW + 59_000 });
    const third = await send({ store, now: TEST_NOW + 61_000 });
    expect(second.text).toBe(first.text);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(third.body.data.applicationId).not.toBe(first.body.data.applicationId);
  });

  test("sent 20 times at once with one key over both routes is one application", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    const headers = { ...JSON_TYPE, "idempotency-key": "one key" };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        send({ store, headers, channel: index % 2 ? "sms" : "mail" }),
      ),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const replays = answers.filter(({ headers }) => headers.get("idempotency-replayed") === "true");
    expect(replays).toHaveLength(19);
    expect(await store.counts()).toMatchObject({ waiting: 1 });
  });

  test("under a key of other content is refused with 422", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    const headers = { ...JSON_TYPE, "idempotency-key": "one key" };
    await send({ store, headers });
    const other = JSON.stringify({ ...FIELDS, age: 33 });
    const { status, body } = await send({ store, headers, body: other });
    expect(status).toBe(422);
    expect(body.success).toBe(false);
    expect(await store.counts()).toMatchObject({ waiting: 1 });
  });

  test("may be 90 years old on the mail route only", async () => {
    await using temporary = temporaryStore();
    const body = JSON.stringify({ ...FIELDS, age: "90" });
    expect((await send({ body })).status).toBe(400);
    expect((await send({ body, channel: "mail", store: temporary.store })).status).toBe(200);
  });

  test("with lone surrogates, NUL or a byte-order mark is cleaned, not refused", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    const body = `\ufeff${JSON.stringify(FIELDS).replace("홍길동", "홍\\ud800길\\u0000동")}`;
    expect((await send({ body, store })).status).toBe(200);
    const [delivery] = await store.leaseDue({ now: TEST_NOW, leaseMs: 1, limit: 1 });
    expect(delivery?.application.name).toBe("홍\ufffd길동");
  });
});

const without = (field: string) => JSON.stringify({ ...FIELDS, [field]: undefined });
const withField = (field: string, value: unknown) => JSON.stringify({ ...FIELDS, [field]: value });
const json = (body: BodyInit) => ({ body, headers: JSON_TYPE });

describe("what is wrong is refused and never reaches the store", () => {
  const REFUSED: [what: string, status: number, sent: Sent][] = [
    ...FIELD_NAMES.filter((field) => field !== "message").map((field): [string, number, Sent] => [
      `no ${field}`,
      400,
      json(without(field)),
    ]),
    ["an age below 18", 400, json(withField("age", 17))],
    ["a fraction of an age", 400, json(withField("age", 32.5))],
    ["a day that no calendar has", 400, json(withField("preferredDate", "2026-02-30"))],
    ["a region that is not offered", 400, json(withField("region", "충주"))],
    ["a message of 1,001 characters", 400, json(withField("message", "가".repeat(1_001)))],
    ["an array for a text", 400, json(withField("name", ["홍길동"]))],
    ["an object for a text", 400, json(withField("phone", { toString: "x" }))],
    ["a number for a text", 400, json(withField("region", 5))],
    ["a boolean for the age", 400, json(withField("age", true))],
    ["NUL alone for a name", 400, json(withField("name", "\u0000"))],
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
    ["an empty key", 400, { headers: { ...JSON_TYPE, "idempotency-key": "" } }],
    ["a key with a tab", 400, { headers: { ...JSON_TYPE, "idempotency-key": "a\tb" } }],
    ["a key with an umlaut", 400, { headers: { ...JSON_TYPE, "idempotency-key": "schlüssel" } }],
    [
      "a key of 256 characters",
      400,
      { headers: { ...JSON_TYPE, "idempotency-key": "k".repeat(256) } },
    ],
    ["another site's page", 403, { headers: { ...JSON_TYPE, "sec-fetch-site": "cross-site" } }],
    ["another origin", 403, { headers: { ...JSON_TYPE, origin: "https://elsewhere.example" } }],
    ["an origin that is hidden", 403, { headers: { ...JSON_TYPE, origin: "null" } }],
    [
      "a sibling site",
      403,
      {
        headers: {
          ...JSON_TYPE,
          "sec-fetch-site": "same-site",
          origin: "https://blog.site.example",
        },
      },
    ],
    [
      "another origin with a forged X-Forwarded-Host",
      403,
      {
        headers: {
          ...JSON_TYPE,
          origin: "https://elsewhere.example",
          "x-forwarded-host": "elsewhere.example",
        },
      },
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
    const odd = fc.oneof(fc.jsonValue(), fc.string({ unit: "binary" }), fc.double());
    const fields = FIELD_NAMES.map((field) => [field, fc.oneof(odd, fc.constant(FIELDS[field]))]);
    await fc.assert(
      fc.asyncProperty(fc.record(Object.fromEntries(fields)), async (value) => {
        const { status, body } = await send({ body: JSON.stringify(value), store });
        expect([200, 400]).toContain(status);
        expect(body.success).toBe(status === 200);
      }),
    );
  });
});

describe("its own pages are let in", () => {
  test.each([
    { "sec-fetch-site": "same-origin", origin: SITE },
    // A proxy in front changes the Host; the browser's word for its own site holds, and so does SITE_URL.
    { "sec-fetch-site": "same-origin", host: "127.0.0.1:3000", origin: "https://www.site.example" },
    { host: "127.0.0.1:3000", origin: SITE },
    // SITE_URL is not the address that is used; the Host is.
    { host: "192.168.0.7:3000", origin: "http://192.168.0.7:3000" },
    { host: "site.example:443", origin: SITE },
    // No browser at all.
    { host: "site.example" },
  ])("%o", async (headers) => {
    await using temporary = temporaryStore();
    const sent = { "content-type": "application/json", ...headers };
    expect((await send({ store: temporary.store, headers: sent })).status).toBe(200);
  });
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

  test("in pieces is put together", async () => {
    await using temporary = temporaryStore();
    const text = JSON.stringify(FIELDS);
    const { stream } = streamOf([text.slice(0, 10), text.slice(10)], "ends");
    expect((await send({ body: stream, store: temporary.store })).status).toBe(200);
  });

  test("of 16 KiB is taken, one byte more is not", async () => {
    await using temporary = temporaryStore();
    const text = JSON.stringify(FIELDS);
    const padded = (bytes: number) => text + " ".repeat(bytes - Buffer.byteLength(text));
    expect((await send({ body: padded(16_384), store: temporary.store })).status).toBe(200);
    expect((await send({ body: padded(16_385) })).status).toBe(413);
  });

  test("that is too long by its own account is not read", async () => {
    const { stream, left } = streamOf(["{", "}", "x"], "stalls");
    const headers = { ...JSON_TYPE, "content-length": "16385" };
    const answer = await send({ body: stream, headers });
    expect(answer.status).toBe(413);
    expect(answer.headers.get("connection")).toBe("close");
    expect(left()).toBeGreaterThan(0);
  });

  test("without a length is cut off once it is too long, and the connection is closed", async () => {
    const { stream, cancelled, left } = streamOf(
      Array<string>(1_000).fill("x".repeat(1_024)),
      "stalls",
    );
    const answer = await send({ body: stream });
    expect(answer.status).toBe(413);
    expect(answer.headers.get("connection")).toBe("close");
    expect(cancelled).toHaveBeenCalled();
    expect(left()).toBeGreaterThan(950);
  });

  test("that stalls is given up after the time limit, and the connection is closed", async () => {
    const { stream, cancelled } = streamOf(['{"name":'], "stalls");
    const answer = await send({ body: stream, bodyTimeLimitMs: 30 });
    expect(answer.status).toBe(408);
    expect(answer.headers.get("connection")).toBe("close");
    expect(cancelled).toHaveBeenCalled();
  });

  test("whose connection breaks is refused as incomplete", async () => {
    const { stream } = streamOf(['{"name":'], "breaks");
    expect((await send({ body: stream })).status).toBe(400);
  });
});

describe("when the store fails", () => {
  test("because it is out, the answer is 503 with a time to come back", async () => {
    const store = storeThat(async () => {
      throw new StorageUnavailable("The disk is full.", "full");
    });
    const { status, headers, body, text } = await send({ store });
    expect(status).toBe(503);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(body.success).toBe(false);
    expect(text).not.toContain("disk");
  });

  test("for a reason that nobody expected, the answer is 500 with an id and without the reason", async () => {
    const store = storeThat(async () => {
      throw new Error("secret reason");
    });
    const { status, body, text } = await send({ store });
    expect(status).toBe(500);
    expect(body).toEqual({
      success: false,
      message: expect.stringMatching(/오류 번호 [0-9a-f]{8}/),
    });
    expect(text).not.toContain("secret");
  });
});

test("bytes that are no UTF-8 are refused, not stored as other characters", async () => {
  const [before = "", after = ""] = JSON.stringify(FIELDS).split("홍길동");
  const body = Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xfe]), Buffer.from(after)]);
  expect((await send({ body })).status).toBe(400);
});

test.each(["null", "[]", '"x"', "5"])("of %s every field is missing", async (body) => {
  const { errors } = (await send({ body })).body;
  expect(Object.keys(errors).toSorted()).toEqual(
    FIELD_NAMES.filter((field) => field !== "message").toSorted(),
  );
});

describe("a form sent without JavaScript", () => {
  const asForm = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
  const TYPED = { ...FIELDS, age: "32" };

  test("is stored and sent on to a page that knows its number, with nothing personal in the address", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    const { status, headers, text } = await send({
      store,
      body: asForm(TYPED),
      headers: FORM_TYPE,
    });
    expect(status).toBe(303);
    expect(text).toBe("");
    expect(headers.get("location")).toBe("/contact/result#form-result");
    expect(headers.get("set-cookie")).toMatch(
      /; Path=\/contact\/result; Max-Age=1800; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(resultIn(headers)).toMatchObject({
      kind: "received",
      receipt: { applicationId: expect.any(String), submittedAt: "2026-12-01T09:30:00.000+09:00" },
      application: { name: "홍길동", gender: "female", age: 32 },
    });
    expect(await store.counts()).toMatchObject({ waiting: 1 });
  });

  test("with a wrong field is sent on to its entered values and the errors", async () => {
    const body = asForm({ ...TYPED, age: "17", extra: "x" });
    const { status, headers } = await send({ body, headers: FORM_TYPE, channel: "mail" });
    expect(status).toBe(303);
    expect(resultIn(headers)).toEqual({
      kind: "refused",
      form: "contact",
      message: expect.any(String),
      errors: { age: [expect.stringContaining("18~100")] },
      values: { ...TYPED, age: "17" },
    });
  });

  test("keeps its values when the store is out", async () => {
    const store = storeThat(async () => {
      throw new StorageUnavailable("The disk is full.", "full");
    });
    const { headers } = await send({ store, body: asForm(TYPED), headers: FORM_TYPE });
    expect(resultIn(headers)).toMatchObject({
      kind: "refused",
      values: TYPED,
    });
  });

  test("from another site's page is refused, and nothing that it filled in is shown", async () => {
    const sent = { ...FORM_TYPE, origin: "https://elsewhere.example" };
    const { status, headers } = await send({ body: asForm(TYPED), headers: sent });
    expect(status).toBe(303);
    expect(resultIn(headers)).toMatchObject({
      kind: "refused",
      message: answerMessages.crossSite,
      values: {},
    });
  });

  test("that is too large is told so on the page, and the connection ends", async () => {
    const body = "x".repeat(20_000);
    const { status, headers } = await send({ body, headers: FORM_TYPE });
    expect(status).toBe(303);
    expect(headers.get("connection")).toBe("close");
    expect(resultIn(headers)).toMatchObject({ message: answerMessages.tooLarge });
  });

  test("that is too slow is told so on the page", async () => {
    const body = new ReadableStream({ pull: () => new Promise(() => undefined) });
    const { status, headers } = await send({ body, headers: FORM_TYPE, bodyTimeLimitMs: 10 });
    expect(status).toBe(303);
    expect(resultIn(headers)).toMatchObject({ message: answerMessages.tooSlow });
  });

  test("that meets a fault in the program is told so on the page", async () => {
    const { status, headers } = await send({ body: asForm(TYPED), headers: FORM_TYPE });
    expect(status).toBe(303);
    expect(resultIn(headers)).toMatchObject({
      message: expect.stringMatching(/오류 번호 [0-9a-f]{8}/),
      values: TYPED,
    });
  });

  test("with every character escaped fits, at the longest message that is allowed", async () => {
    await using temporary = temporaryStore();
    const body = asForm({ ...TYPED, message: "🚗".repeat(1_000) });
    expect((await send({ body, headers: FORM_TYPE, store: temporary.store })).status).toBe(303);
  });
});

describe("over a limit", () => {
  const LIMITS = {
    addressRequestsPerMinute: 5,
    addressApplicationsPer10Minutes: 4,
    totalApplicationsPerMinute: 6,
  };
  const named = (name: string) => withField("name", name);

  test("of its address a new application is answered with 429, the time to wait, and is not stored", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    const limits = openLimits(LIMITS);
    const statuses: number[] = [];
    for (const name of ["가", "나", "다", "라"]) {
      statuses.push((await send({ store, limits, body: named(name) })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200]);
    const { status, headers, body } = await send({ store, limits, body: named("마") });
    expect(status).toBe(429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(590);
    expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(600);
    expect(body).toEqual({ success: false, message: expect.stringMatching(/몰리고/) });
    expect(await store.counts()).toMatchObject({ waiting: 4 });
    const other = { store, limits, body: named("마"), address: "192.0.2.2" };
    expect((await send(other)).status).toBe(200);
  });

  test("holds for what comes at once", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    const limits = openLimits({ ...LIMITS, addressRequestsPerMinute: 100 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        send({ store, limits, body: named(`동시${index}`) }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(await store.counts()).toMatchObject({ waiting: 4 });
  });

  test("a repeat still gets the answer of the first time", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    const limits = openLimits(LIMITS);
    const headers = { ...JSON_TYPE, "idempotency-key": "first" };
    const first = await send({ store, limits, headers, body: named("가") });
    for (const name of ["나", "다", "라"]) await send({ store, limits, body: named(name) });
    const again = await send({ store, limits, headers, body: named("가") });
    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
  });

  test("a refused or replayed request counts as a request, a new application does not", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    const limits = openLimits(LIMITS);
    for (const name of ["가", "나", "다", "라"]) await send({ store, limits, body: named(name) });
    for (const name of ["가", "나", "", "", ""]) {
      expect([200, 400]).toContain((await send({ store, limits, body: named(name) })).status);
    }
    const { status, headers } = await send({ store, limits, body: named("") });
    expect(status).toBe(429);
    expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(60);
  });

  test("a refused or replayed request uses up no application", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    const limits = openLimits({ ...LIMITS, addressRequestsPerMinute: 100 });
    const out = storeThat(async () => {
      throw new StorageUnavailable("The disk is full.", "full");
    });
    for (let times = 0; times < 20; times++) {
      await send({ store: out, limits });
      await send({ store, limits, body: named("가") });
    }
    for (const name of ["나", "다", "라"]) {
      expect((await send({ store, limits, body: named(name) })).status).toBe(200);
    }
  });

  test("of all together nobody is let in, and no address is charged for it", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    const limits = openLimits(LIMITS);
    const from = (index: number) =>
      send({ store, limits, body: named(`여럿${index}`), address: `192.0.2.${index}` });
    for (let index = 0; index < 6; index++) expect((await from(index)).status).toBe(200);
    for (let times = 0; times < 5; times++) expect((await from(7)).status).toBe(429);
    expect((await limits.countApplication("192.0.2.7")).retryAfterSeconds).toBeLessThanOrEqual(60);
  });

  test("a sender over its own limit takes nothing from the others", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    const limits = openLimits({ ...LIMITS, addressRequestsPerMinute: 100 });
    for (let index = 0; index < 50; index++) {
      await send({ store, limits, body: named(`한곳${index}`) });
    }
    const other = { store, limits, body: named("다른 곳"), address: "192.0.2.2" };
    expect((await send(other)).status).toBe(200);
  });

  test("a form without JavaScript keeps its values when its address asks too often", async () => {
    const limits = openLimits({ ...LIMITS, addressRequestsPerMinute: 1 });
    await limits.countRequest("192.0.2.1");
    const body = new URLSearchParams({ ...FIELDS, age: "32" }).toString();
    const { status, headers } = await send({ limits, body, headers: FORM_TYPE });
    expect(status).toBe(303);
    expect(resultIn(headers)).toMatchObject({
      message: answerMessages.tooMany,
      values: { name: FIELDS.name },
    });
  });

  test("a form without JavaScript keeps its values and is told so on its page", async () => {
    const limits = openLimits({ ...LIMITS, totalApplicationsPerMinute: 1 });
    await limits.countApplication("192.0.2.9");
    const store = storeThat(async () => ({ outcome: "not-a-repeat" }));
    const body = new URLSearchParams({ ...FIELDS, age: "32" }).toString();
    const { status, headers } = await send({ store, limits, body, headers: FORM_TYPE });
    expect(status).toBe(303);
    expect(resultIn(headers)).toMatchObject({
      kind: "refused",
      values: { name: FIELDS.name },
    });
  });
});

describe("what looks automated is stored with its mark and answered like any other", () => {
  const storedMarks = async (store: Store) => {
    const leased = await store.leaseDue({ now: TEST_NOW, leaseMs: 1, limit: 99 });
    return leased.map(({ suspicion }) => suspicion);
  };

  test.each([
    ["JSON", JSON.stringify({ ...FIELDS, homepage: "http://spam.example" }), JSON_TYPE],
    ["a form", new URLSearchParams({ ...FIELDS, age: "32", homepage: "x" }).toString(), FORM_TYPE],
  ])("a filled honeypot in %s", async (_encoding, body, headers) => {
    await using temporary = temporaryStore();
    const { status, body: answer, text } = await send({ store: temporary.store, body, headers });
    expect([200, 303]).toContain(status);
    if (status === 200) {
      const keys = ["success", "message", "data"];
      expect(Object.keys(answer)).toEqual(keys);
    }
    expect(text).not.toContain("spam");
    expect(await storedMarks(temporary.store)).toEqual(["honeypot"]);
  });

  test("an empty honeypot marks nothing", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    await send({ store, body: JSON.stringify({ ...FIELDS, homepage: "" }) });
    const form = new URLSearchParams({ ...FIELDS, age: "33", homepage: "" }).toString();
    await send({ store, body: form, headers: FORM_TYPE });
    expect(await storedMarks(store)).toEqual([undefined, undefined]);
  });

  test("an address that has used more than half of its ration", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    const limits = openLimits({
      addressRequestsPerMinute: 100,
      addressApplicationsPer10Minutes: 5,
      totalApplicationsPerMinute: 100,
    });
    for (let index = 0; index < 5; index++) {
      const body = withField("name", `같은 곳${index}`);
      expect((await send({ store, limits, body })).status).toBe(200);
    }
    const mark = "flooding";
    expect(await storedMarks(store)).toEqual([undefined, undefined, undefined, mark, mark]);
  });
});
