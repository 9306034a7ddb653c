import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { put } from "#lib/browser/outbox.ts";
import { resendLater } from "#lib/browser/resend-schedule.ts";
import { filledIn as values } from "#testing/fixtures/browser-application.ts";
import { localStorageStub } from "#testing/fixtures/local-storage.ts";

const NOW = Date.UTC(2026, 11, 1);
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "performance", "setTimeout", "clearTimeout"], now: NOW });
  vi.stubGlobal("localStorage", localStorageStub());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("sends when the server's wait is over, also where the device's clock was set back meanwhile", async () => {
  const fetcher = vi.fn(async () => new Response(null, { status: 503 }));
  vi.stubGlobal("fetch", fetcher);
  await put({ idempotencyKey: "key", form: "contact", values, keptAt: NOW }).durable;
  resendLater(MINUTE_MS);
  vi.setSystemTime(NOW - DAY_MS);
  await vi.advanceTimersByTimeAsync(MINUTE_MS - 1);
  expect(fetcher).not.toHaveBeenCalled();
  // Up to a fifth later, so that browsers do not come all at once.
  await vi.advanceTimersByTimeAsync(MINUTE_MS / 5 + 1);
  await vi.waitFor(() => expect(fetcher).toHaveBeenCalledOnce());
});
