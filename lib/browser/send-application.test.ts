import { expect, it, vi } from "vitest";
import { FIELD_NAMES } from "#lib/application/fields.ts";
import type { SubmittedApplication } from "#lib/browser/entry.ts";
import { sendApplication } from "#lib/browser/send-application.ts";
import { jsonResponse } from "#lib/intake/responses.ts";
import { receipt, filledInValues as values } from "#testing/fixtures/browser-application.ts";

const sending: SubmittedApplication = { id: "key-1", form: "contact", values, at: 0 };
const received = { success: true, message: "", data: receipt };

const answer = (status: number, body: unknown, headers: HeadersInit = {}, statusText = "") =>
  vi.fn<typeof fetch>(async () => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return new Response(text, { status, statusText, headers });
  });

it("a submission sends its fields as JSON to the route of the form", async () => {
  const fetcher = answer(200, received);
  expect(await sendApplication(sending, fetcher)).toEqual({ kind: "received", receipt });
  await sendApplication({ ...sending, form: "dialog" }, fetcher);
  const [[url, init] = [], [otherUrl] = []] = fetcher.mock.calls;
  expect([url, otherUrl]).toEqual([
    "/api/mail/training-application",
    "/api/sms/training-application",
  ]);
  expect(JSON.parse(String(init?.body))).toEqual({ ...values, age: 34 });
  // The server limits bytes, but the form counts visible characters.
  const message = `가${" \u200b".repeat(16_384)}`;
  await sendApplication(
    { ...sending, values: { ...values, age: "\u200b만 ３４ 세", message } },
    fetcher,
  );
  const { body } = fetcher.mock.lastCall?.[1] ?? {};
  expect(JSON.parse(String(body))).toEqual({ ...values, age: 34, message: "가" });
  expect(init).toMatchObject({ keepalive: true, redirect: "error", cache: "no-store" });
  expect(init?.headers).toMatchObject({ "Idempotency-Key": "key-1" });
});

it("a request names every field, also one that the visitor left empty", async () => {
  const fetcher = answer(200, received);
  const { message: _, ...others } = values;
  await sendApplication({ ...sending, values: others }, fetcher);
  const body = JSON.parse(String(fetcher.mock.lastCall?.[1]?.body));
  expect(Object.keys(body).toSorted()).toEqual(FIELD_NAMES.toSorted());
});

const later = { kind: "later", errorText: undefined, reason: "connection" };
it.each([
  ["a refusal", { success: false, message: "다시" }],
  ["a captive portal's page", "<html>Wi-Fi</html>"],
])("a response of status 200 with %s is not a receipt", async (_case, body) => {
  expect(await sendApplication(sending, answer(200, body))).toEqual(later);
});

it.each([
  [429, "busy"],
  [404, undefined],
  [503, "unavailable"],
])("a response of status %i is a temporary failure", async (status, reason) => {
  const outcome = await sendApplication(sending, answer(status, "", {}, "Trouble"));
  expect(outcome).toEqual({ ...later, errorText: `HTTP ${status}: Trouble`, reason });
  expect(await sendApplication(sending, answer(status, ""))).toMatchObject({
    errorText: `HTTP ${status}`,
  });
});

const REFUSALS = [400, 403, 413, 415, 422];
it.each(REFUSALS)("a status of %i is a refusal only if our server sent it [69]", async (status) => {
  const body = { success: false, message: "확인", errors: { age: ["나이를 …"] } };
  const { headers } = jsonResponse({ ok: false, refusal: { status, message: "확인" } });
  expect(await sendApplication(sending, answer(status, body, headers))).toMatchObject({
    kind: "refused",
    refusal: { errorText: "확인", errors: { age: "나이를 …" } },
  });
  expect(await sendApplication(sending, answer(status, body))).toMatchObject({ kind: "refused" });
  for (const other of [{ success: false, message: "차단" }, "<html>Wi-Fi</html>"])
    expect(await sendApplication(sending, answer(status, other))).toMatchObject({ kind: "later" });
});

it("a request that breaks is a bad connection, even if the next one succeeds", async () => {
  const send = answer(200, received).mockRejectedValueOnce(new TypeError("Failed to fetch"));
  expect(await sendApplication(sending, send)).toEqual(later);
  expect(send).toHaveBeenCalledTimes(1);
});

it("a submission times out even in the middle of a response", async () => {
  const limit = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal);
  const hanging: typeof fetch = async (_url, init) =>
    new Response(
      new ReadableStream({
        start: (body) =>
          init?.signal?.addEventListener("abort", () => body.error(new Error("aborted"))),
      }),
    );
  const outcome = sendApplication(sending, hanging);
  limit.abort();
  expect(await outcome).toMatchObject({ kind: "later" });
  expect(timeout).toHaveBeenCalledWith(10_000);
});
