import { expect, vi } from "vitest";
import { parseReceipt } from "#lib/application/response-body.ts";
import { log } from "#lib/log.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { VALID_FIELDS } from "#testing/fixtures/valid-fields.ts";
import {
  bodyWithField,
  callIntake,
  SITE_ORIGIN,
  storeWithAccept,
} from "#testing/site/call-intake.ts";
import { FORM_HEADERS, JSON_HEADERS } from "#testing/site/client.ts";
import { testWithStore as test } from "#testing/storage/temporary-store.ts";

test("a valid application is answered with its stored number", async ({ store }) => {
  const onStored = vi.fn();
  const info = vi.spyOn(log, "info");
  const { status, headers, body } = await callIntake({ store, onStored });
  expect(status).toBe(200);
  expect(body).toEqual({
    success: true,
    message: expect.stringMatching(/[가-힣]/),
    data: {
      applicationId: expect.stringMatching(/^[2-9A-HJKMNP-TV-Z]{8}$/),
      submittedAt: "2026-12-01T09:30:00.000+09:00",
    },
  });
  expect(parseReceipt(body)).toEqual(body.data);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.has("idempotency-replayed")).toBe(false);
  expect(onStored).toHaveBeenCalledOnce();
  const { applicationId } = body.data;
  const logged = { applicationId, route: "sms", replayed: false, suspicion: undefined };
  expect(info.mock.calls).toEqual([[logged, "application received"]]);
  const application = { name: "홍길동", phone: "+821012345678", gender: "female", age: 32 };
  expect(await store.list({})).toMatchObject([{ applicationId, route: "sms", application }]);
});

test("other content under the same key is refused with 422 [5]", async ({ store }) => {
  const headers = { ...JSON_HEADERS, "idempotency-key": "one" };
  expect((await callIntake({ store, headers })).status).toBe(200);
  expect((await callIntake({ store, headers })).headers.get("idempotency-replayed")).toBe("true");
  expect(
    (await callIntake({ store, headers, body: bodyWithField("name", "다른 내용") })).status,
  ).toBe(422);
});

test("an application is stored without lone surrogates, NUL and byte-order marks", async ({
  store,
}) => {
  const body = `\ufeff${JSON.stringify(VALID_FIELDS).replace("홍길동", "홍\\ud800길\\u0000동")}`;
  expect((await callIntake({ body, store })).status).toBe(200);
  const [stored] = await store.list({});
  expect(stored?.application.name).toBe("홍\ufffd길동");
});

test.for([
  { "sec-fetch-site": "same-origin", origin: SITE_ORIGIN },
  // A proxy has changed the Host header, so Sec-Fetch-Site and SITE_URL count.
  { "sec-fetch-site": "same-origin", host: "127.0.0.1:3000", origin: "https://www.site.example" },
  { host: "127.0.0.1:3000", origin: SITE_ORIGIN },
  // The visitor uses another address than SITE_URL, so the Host header counts.
  { host: "192.168.0.7:3000", origin: "http://192.168.0.7:3000" },
  { host: "www.site.example:443", origin: "https://www.site.example" },
  { "sec-fetch-site": "none", origin: "https://other.example" },
  { host: "site.example", "content-type": "Application/JSON; Charset=UTF-8" },
  // A client that is no browser sends neither Origin nor Sec-Fetch-Site.
  { host: "site.example" },
])("a request that no other site's page has sent is accepted: %j", async (headers, { store }) => {
  const sent = { "content-type": "application/json", ...headers };
  expect((await callIntake({ store, headers: sent })).status).toBe(200);
});

const FULL_DISK = new StorageUnavailable("The disk is full.", "full");
const UNKNOWN = Object.assign(new Error("full of it"), { code: "XX000" });
test.for([
  ["StorageUnavailable", FULL_DISK, { reason: "full" }],
  ["an unknown error", UNKNOWN, { reason: "unknown", err: UNKNOWN }],
  ["undefined", undefined, { reason: "unknown" }],
] as const)("a store that rejects with %s causes a 503 [6][80]", async ([, error, cause]) => {
  const store = storeWithAccept(() => Promise.reject(error));
  const record = vi.spyOn(log, "error");
  const { status, headers, body, text } = await callIntake({ store });
  expect(record.mock.calls).toEqual([[{ route: "sms", ...cause }, expect.any(String)]]);
  expect([status, headers.get("retry-after")]).toEqual([503, "10"]);
  expect(body).toEqual({ success: false, message: expect.stringMatching(/[가-힣]/) });
  expect(text).not.toContain("full");
});

const jsonBody = (homepage: string) =>
  [JSON.stringify({ ...VALID_FIELDS, homepage }), JSON_HEADERS] as const;
const formBody = (homepage: string) =>
  [
    `${new URLSearchParams({ ...VALID_FIELDS, age: "32" })}&homepage=${homepage}`,
    FORM_HEADERS,
  ] as const;

test.for([
  ["a filled honeypot in JSON", jsonBody("http://spam.example"), "honeypot"],
  ["a filled honeypot in a form", formBody("http://spam.example"), "honeypot"],
  ["a honeypot filled once in a form", formBody("&homepage=x"), "honeypot"],
  ["an empty honeypot in JSON", jsonBody(""), undefined],
  ["an empty honeypot in a form", formBody(""), undefined],
] as const)(
  "an application has the suspicion honeypot only if that field is filled: %s [31]",
  async ([, [body, headers], mark], { store }) => {
    const answer = await callIntake({ store, body, headers });
    expect(answer.status).toBe(headers === FORM_HEADERS ? 303 : 200);
    if (answer.body) expect(Object.keys(answer.body)).toEqual(["success", "message", "data"]);
    expect(answer.text).not.toContain("spam");
    expect(await store.list({})).toEqual([expect.objectContaining({ suspicion: mark })]);
  },
);
