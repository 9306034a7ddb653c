import { expect, it } from "vitest";
import { DAY } from "#lib/application/durations.ts";
import {
  FIRST_PAUSES_MS,
  GIVE_UP_DAYS,
  LATER_PAUSE_MS,
  MAX_TRIES,
  nextAttemptAt,
  scheduleUndelivered,
  UNDELIVERED_PAUSE_MS,
} from "#lib/delivery/retry.ts";

const NOW = Date.parse("2026-12-01T09:30:00+09:00");
const usual = { isRejected: false, notBefore: 0, now: NOW, random: 0 };

it("retries follow the schedule until the message is given up [23][82]", () => {
  let passed = 0;
  for (let tries = 1; tries < MAX_TRIES; tries++) {
    const pause = nextAttemptAt({ ...usual, tries }) - NOW;
    expect(pause).toBe(FIRST_PAUSES_MS[tries - 1] ?? LATER_PAUSE_MS);
    if (tries > FIRST_PAUSES_MS.length) passed += pause;
  }
  expect(passed).toBe(GIVE_UP_DAYS * DAY);
});

it("no pause between retries is shorter than the one before it", () => {
  const pauses = [...FIRST_PAUSES_MS, LATER_PAUSE_MS];
  expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
});

it.each([
  ["comes up to a tenth later, so that messages spread out", { random: 1 }, 1.1 * LATER_PAUSE_MS],
  ["after a rejection leaves a person time", { tries: 1, isRejected: true }, LATER_PAUSE_MS],
  ["waits for the provider's time", { notBefore: NOW + LATER_PAUSE_MS + 1 }, LATER_PAUSE_MS + 1],
  [
    "ignores a provider's time that is earlier than its own",
    { notBefore: NOW + 1 },
    LATER_PAUSE_MS,
  ],
  ["waits for a day at most", { notBefore: NOW + 9 * DAY }, DAY],
])("the next retry %s", (_what, failed, after) => {
  expect(nextAttemptAt({ ...usual, tries: MAX_TRIES - 1, ...failed }) - NOW).toBe(
    Math.round(after),
  );
});

it("a text that does not reach its phone is tried until it is given up [65]", () => {
  let [tries, at] = [0, NOW];
  const times: number[] = [];
  while (tries < MAX_TRIES) {
    const next = scheduleUndelivered(tries, at);
    expect(next.nextAt - at).toBeGreaterThanOrEqual(UNDELIVERED_PAUSE_MS.least);
    ({ tries, nextAt: at } = next);
    times.push(at);
  }
  expect(times.length).toBeLessThan(20);
  expect(at - NOW).toBeGreaterThanOrEqual(GIVE_UP_DAYS * DAY);
  expect(at - NOW).toBeLessThan((GIVE_UP_DAYS + 3) * DAY);
});

const parseDayAndTime = (text: string) => Date.parse(`2026-12-${text.replace(" ", "T")}+09:00`);
it.each([
  ["01 15:00", "01 15:00"],
  ["01 21:59", "01 21:59"],
  ["01 22:00", "02 08:00"],
  ["02 00:00", "02 08:00"],
  ["02 07:59", "02 08:00"],
  ["02 09:00", "02 09:00"],
])("a second text never goes out at night: due on day %s, sent on day %s", (due, sent) => {
  const [dueAt = 0, expected = 0] = [due, sent].map(parseDayAndTime);
  expect(scheduleUndelivered(0, dueAt - UNDELIVERED_PAUSE_MS.least).nextAt).toBe(expected);
});
