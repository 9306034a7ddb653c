import { afterEach, describe, expect, test, vi } from "vitest";
import { receiptIn } from "#lib/application/answer.ts";
import type { NewApplication } from "#lib/application/stored-application.ts";
import { openLimits } from "#lib/intake/limits.ts";
import { processGlobals } from "#lib/process-globals.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { Store } from "#lib/storage/store.ts";
import { FIELDS } from "#testing/fixtures/request.ts";
import {
  FORM_TYPE,
  JSON_TYPE,
  SITE,
  send,
  storeThat,
  withField,
} from "#testing/sent-application.ts";
import { TEST_NOW, temporaryStore } from "#testing/temporary-store.ts";

afterEach(() => {
  delete processGlobals.worker;
});

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

    const [stored] = await temporary.store.list({});
    expect(stored).toMatchObject({
      applicationId: body.data.applicationId,
      route: "sms",
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

  test("under a key of other content is refused with 422", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    const headers = { ...JSON_TYPE, "idempotency-key": "one key" };
    await send({ store, headers });
    const other = JSON.stringify({ ...FIELDS, age: 33 });
    const { status, body } = await send({ store, headers, body: other });
    expect(status).toBe(422);
    expect(body.success).toBe(false);
    expect(await store.counts(TEST_NOW)).toMatchObject({ waiting: 1 });
  });

  test("goes to the store with its own key and the key of the one that it corrects", async () => {
    const taken: NewApplication[] = [];
    const store = storeThat(async (newApplication) => {
      taken.push(newApplication);
      return { outcome: "stored", applicationId: "7K3MPQ9X", submittedAt: TEST_NOW };
    });
    const headers = { ...JSON_TYPE, "idempotency-key": "second", "corrects-key": "first" };
    expect((await send({ store, headers })).status).toBe(200);
    expect(taken).toMatchObject([{ idempotencyKey: "second", correctsKey: "first" }]);
  });

  test("may be 90 years old on the mail route only", async () => {
    await using temporary = temporaryStore();
    const body = JSON.stringify({ ...FIELDS, age: "90" });
    expect((await send({ body })).status).toBe(400);
    expect((await send({ body, route: "mail", store: temporary.store })).status).toBe(200);
  });

  test("with lone surrogates, NUL or a byte-order mark is cleaned, not refused", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    const body = `\ufeff${JSON.stringify(FIELDS).replace("홍길동", "홍\\ud800길\\u0000동")}`;
    expect((await send({ body, store })).status).toBe(200);
    const [stored] = await store.list({});
    expect(stored?.application.name).toBe("홍\ufffd길동");
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

describe("what looks automated is stored with its mark and answered like any other", () => {
  const storedMarks = async (store: Store) => {
    const stored = await store.list({});
    return stored.toReversed().map(({ suspicion }) => suspicion);
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
