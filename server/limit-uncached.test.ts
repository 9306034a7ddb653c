import { setTimeout as pause } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { limitUncached } from "#server/limit-uncached.ts";
import { serveHandler } from "#testing/site/http-server.ts";

vi.mock("node:timers/promises", () => ({ setTimeout: vi.fn(async () => undefined) }));

test.each([
  [200, true, "page", null],
  [429, false, expect.stringContaining("031-000-0000"), "7"],
])(
  "an uncached page answers %d if its limit allows it: %s",
  async (status, ok, body, retryAfter) => {
    const countUncachedRequest = vi.fn(() => ({ ok, isFlooding: false, retryAfterSeconds: 7 }));
    const limited = limitUncached(
      async (_, response) => void response.end("page"),
      { countUncachedRequest },
      "031-000-0000",
    );
    const port = await serveHandler((request, response) =>
      limited(request, response, "203.0.113.7"),
    );
    const answer = await fetch(`http://127.0.0.1:${port}/contact/result`);
    expect([answer.status, await answer.text()]).toEqual([status, body]);
    expect(answer.headers.get("retry-after")).toBe(retryAfter);
    expect(answer.headers.get("cache-control")).toBe(ok ? null : "no-store");
    expect(countUncachedRequest).toHaveBeenCalledWith("203.0.113.7");
    expect(vi.mocked(pause).mock.calls).toEqual(ok ? [] : [[1_000]]);
  },
);
