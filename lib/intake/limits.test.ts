import { beforeEach, expect, test, vi } from "vitest";
import { DAY, MINUTE } from "#lib/application/durations.ts";
import { createLimits, type Limits } from "#lib/intake/limits.ts";
import { WindowCounter } from "#lib/intake/window-counter.ts";
import { log } from "#lib/log.ts";

const ADDRESS = "192.0.2.1";

let limits: Limits;
beforeEach(() => {
  vi.useFakeTimers();
  limits = createLimits({
    addressRequestsPerMinute: 3,
    addressApplicationsPer10Minutes: 4,
    totalApplicationsPerMinute: 100,
  });
});

test("only the first refusal of a window is logged", () => {
  const warn = vi.spyOn(log, "warn");
  for (let times = 0; times < 6; times++) limits.countRequest(ADDRESS);
  expect(warn.mock.calls).toEqual([[{ limit: 3, retryAfterSeconds: 60 }, expect.any(String)]]);
});

test("the fifth application of a day looks automated if the 10-minute limit is four", () => {
  const marks: boolean[] = [];
  for (let window = 0; window < 6; window++) {
    // An application that is not stored does not count.
    limits.countApplication(ADDRESS);
    limits.uncountApplication(ADDRESS);
    marks.push(limits.countApplication(ADDRESS).isFlooding);
    vi.advanceTimersByTime(11 * MINUTE);
  }
  expect(marks).toEqual([false, false, false, false, true, true]);
  vi.advanceTimersByTime(DAY);
  expect(limits.countApplication(ADDRESS).isFlooding).toBe(false);
});

test("an application over the total limit does not look automated", () => {
  for (let sender = 0; sender < 100; sender++) limits.countApplication(`192.0.2.${sender + 2}`);
  expect(limits.countApplication(ADDRESS)).toMatchObject({ ok: false, isFlooding: false });
});

test("a request without an address counts toward the total limit only", () => {
  const allowed = Array.from({ length: 101 }, () => {
    return limits.countRequest(undefined).ok && limits.countApplication(undefined).ok;
  });
  expect(allowed.indexOf(false)).toBe(100);
});

test.each([
  ["back", -DAY],
  ["forward", DAY],
])("a clock that is set %s by a day does not change Retry-After", (_, ms) => {
  for (let times = 0; times < 3; times++) limits.countRequest(ADDRESS);
  vi.setSystemTime(Date.now() + ms);
  vi.advanceTimersByTime(MINUTE / 2);
  const refusal = limits.countRequest(ADDRESS);
  expect(refusal.ok).toBe(false);
  expect(refusal.retryAfterSeconds).toBeLessThanOrEqual(30);
  vi.advanceTimersByTime(MINUTE / 2 + 1);
  expect(limits.countRequest(ADDRESS)).toMatchObject({ ok: true });
});

test("uncached requests count toward a limit of their own", () => {
  const counted = Array.from({ length: 5 }, () => limits.countUncachedRequest(ADDRESS).ok);
  expect(counted).toEqual([true, true, true, false, false]);
  expect([limits.countRequest(ADDRESS).ok, limits.countUncachedRequest("192.0.2.2").ok]).toEqual([
    true,
    true,
  ]);
});

test("an address that was counted once is forgotten when its window has ended", () => {
  const counter = new WindowCounter(MINUTE);
  counter.count(ADDRESS);
  counter.count("192.0.2.2");
  counter.uncount(ADDRESS);
  const { used, endsAt } = counter.count(ADDRESS);
  expect([used, endsAt]).toEqual([1, performance.now() + MINUTE]);
  vi.advanceTimersByTime(MINUTE);
  const forget = vi.spyOn(Map.prototype, "delete");
  expect(counter.count(ADDRESS)).toEqual({ used: 1, endsAt: endsAt + MINUTE });
  expect(forget.mock.calls).toEqual([[ADDRESS], ["192.0.2.2"]]);
  counter.count("192.0.2.2");
  expect(counter.count(ADDRESS).used).toBe(2);
});
