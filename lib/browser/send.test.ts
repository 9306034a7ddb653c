import { afterEach, describe, expect, it, vi } from "vitest";
import { SEND_TIMEOUT_MS, send } from "#lib/browser/send.ts";
import { filledIn as values } from "#testing/fixtures/browser-application.ts";

const sending = { form: "contact", values, key: "key-1" } as const;
const receipt = { applicationId: "7K3MPQ9X", submittedAt: "2026-12-01T09:30:00.000+09:00" };

const answer = (status: number, body: unknown, init: ResponseInit = {}) =>
  vi.fn<typeof fetch>(
    async () =>
      new Response(typeof body === "string" ? body : JSON.stringify(body), { status, ...init }),
  );

describe("send", () => {
  afterEach(() => vi.useRealTimers());

  it("posts the ten fields as JSON with the key, to the form's own route", async () => {
    const fetcher = answer(200, { success: true, message: "", data: receipt });
    await send(sending, fetcher);
    const [url, init] = fetcher.mock.calls[0] ?? [];
    expect(url).toBe("/api/mail/training-application");
    expect(init?.headers).toMatchObject({ "Idempotency-Key": "key-1" });
    expect(JSON.parse(String(init?.body))).toEqual({ ...values, age: 34 });

    await send({ ...sending, form: "dialog" }, fetcher);
    expect(fetcher.mock.calls[1]?.[0]).toBe("/api/sms/training-application");
  });

  it("believes a receipt with a valid number", async () => {
    const fetcher = answer(200, { success: true, message: "", data: receipt });
    expect(await send(sending, fetcher)).toEqual({ kind: "received", receipt });
  });

  it.each([
    ["success: false", { success: false, message: "다시 시도해 주세요." }, "다시 시도해 주세요."],
    ["success: false without a message", { success: false }, undefined],
    ["a captive portal's page", "<html>Wi-Fi</html>", undefined],
    ["an empty body", "", undefined],
    ["no number", { success: true, message: "", data: {} }, undefined],
    [
      "a number that is none",
      { success: true, data: { ...receipt, applicationId: "1" } },
      undefined,
    ],
    ["no time", { success: true, data: { applicationId: "7K3MPQ9X" } }, undefined],
    ["an array", [receipt], undefined],
  ])("does not take a 200 with %s for a receipt", async (_case, body, errorText) => {
    expect(await send(sending, answer(200, body))).toMatchObject({ kind: "later", errorText });
  });

  it.each([408, 429, 500, 502, 503, 504, 404, 405])("keeps it for later at %i", async (status) => {
    const outcome = await send(sending, answer(status, "", { statusText: "Trouble" }));
    expect(outcome).toMatchObject({ kind: "later", errorText: `HTTP ${status}: Trouble` });
  });

  it("names the status alone where there is no text for it (HTTP/2)", async () => {
    expect(await send(sending, answer(503, ""))).toMatchObject({ errorText: "HTTP 503" });
  });

  it("reads Retry-After in seconds and as a date", async () => {
    const inSeconds = answer(429, "", { headers: { "Retry-After": "30" } });
    expect(await send(sending, inSeconds)).toMatchObject({ retryAfterMs: 30_000 });
    const past = answer(503, "", { headers: { "Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT" } });
    expect(await send(sending, past)).toMatchObject({ retryAfterMs: 0 });
    const nonsense = answer(503, "", { headers: { "Retry-After": "soon" } });
    expect(await send(sending, nonsense)).toMatchObject({ retryAfterMs: 0 });
  });

  it("never waits longer than ten minutes: a day's value would silence the resending for a day", async () => {
    for (const value of ["86400", "99999999999", "Fri, 31 Dec 9999 23:59:59 GMT"]) {
      const outcome = await send(sending, answer(503, "", { headers: { "Retry-After": value } }));
      expect(outcome).toMatchObject({ retryAfterMs: 600_000 });
    }
  });

  it.each([
    [429, "busy"],
    [500, "unavailable"],
    [503, "unavailable"],
    [408, undefined],
    [404, undefined],
  ])("knows why it is kept at %i", async (status, reason) => {
    expect(await send(sending, answer(status, ""))).toMatchObject({ kind: "later", reason });
  });

  it("knows where the key stands for another application", async () => {
    const body = { success: false, message: "다른 내용" };
    expect(await send(sending, answer(422, body))).toMatchObject({
      kind: "reused",
      errorText: "다른 내용",
    });
  });

  it("goes on when its page is closed", async () => {
    const fetcher = answer(200, "");
    await send(sending, fetcher);
    expect(fetcher.mock.calls[0]?.[1]?.keepalive).toBe(true);
  });

  it.each([400, 403, 413, 415])("is refused at %i, with the server's words", async (status) => {
    const body = { success: false, message: "확인해 주세요.", errors: { age: ["나이를 …"] } };
    expect(await send(sending, answer(status, body))).toEqual({
      kind: "refused",
      refusal: { errorText: "확인해 주세요.", errors: { age: "나이를 …" } },
    });
  });

  it.each([400, 403, 413, 415, 422])("keeps it for later at somebody else's %i", async (status) => {
    for (const body of ["<html>Wi-Fi</html>", { success: false }, { message: "no" }, [], ""]) {
      const outcome = await send(sending, answer(status, body, { statusText: "Trouble" }));
      expect(outcome).toMatchObject({ kind: "later", errorText: `HTTP ${status}: Trouble` });
    }
  });

  it("names the application that it corrects", async () => {
    const fetcher = answer(200, "");
    await send({ ...sending, corrects: "key-0" }, fetcher);
    await send(sending, fetcher);
    expect(fetcher.mock.calls[0]?.[1]?.headers).toMatchObject({ "Corrects-Key": "key-0" });
    expect(fetcher.mock.calls[1]?.[1]?.headers).not.toHaveProperty("Corrects-Key");
  });

  it("keeps it for later without a network", async () => {
    const outcome = await send(sending, async () => {
      throw new TypeError("Failed to fetch");
    });
    expect(outcome).toEqual({
      kind: "later",
      errorText: undefined,
      reason: "connection",
      retryAfterMs: 0,
    });
  });

  it("gives up after ten seconds, also in the middle of the body", async () => {
    vi.useFakeTimers();
    const hanging: typeof fetch = async (_url, init) =>
      new Response(
        new ReadableStream({
          start: (body) =>
            init?.signal?.addEventListener("abort", () => body.error(new Error("aborted"))),
        }),
      );
    const outcome = send(sending, hanging);
    await vi.advanceTimersByTimeAsync(SEND_TIMEOUT_MS - 1);
    const early = await Promise.race([outcome, Promise.resolve("still waiting")]);
    expect(early).toBe("still waiting");
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toMatchObject({ kind: "later" });
  });
});
