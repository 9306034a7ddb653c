import { expect } from "vitest";
import { createLimits, type LimitSettings } from "#lib/intake/limits.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { Store } from "#lib/storage/store.ts";
import { bodyWithField, callIntake, storeWithAccept } from "#testing/site/call-intake.ts";
import { JSON_HEADERS } from "#testing/site/client.ts";
import { testWithStore as test } from "#testing/storage/temporary-store.ts";

const ACCEPTED_NAMES = ["가", "나", "다", "라"];
/** The server refuses each of nine applications, because the name is empty. */
const REFUSED_NAMES = Array<string>(9).fill("");

function newSender(store: Store, changes: Partial<LimitSettings> = {}) {
  const limits = createLimits({
    addressRequestsPerMinute: 5,
    addressApplicationsPer10Minutes: 4,
    totalApplicationsPerMinute: 5,
    ...changes,
  });
  const sendNamed = (name: string, address = "192.0.2.1", headers = JSON_HEADERS) =>
    callIntake({ store, limits, body: bodyWithField("name", name), address, headers });
  const statuses = async (names: readonly string[], address?: string) => {
    const seen: number[] = [];
    for (const name of names) seen.push((await sendNamed(name, address)).status);
    return seen;
  };
  return { limits, sendNamed, statuses };
}

test("an address over its limit gets 429 with Retry-After [30]", async ({ store }) => {
  const { sendNamed, statuses } = newSender(store, { addressRequestsPerMinute: 100 });
  const names = Array.from({ length: 20 }, (_, index) => `동시${index}`);
  const answers = await Promise.all(names.map((name) => sendNamed(name)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
  for (const { status, headers, body } of answers.filter((answer) => answer.status !== 200)) {
    expect(status).toBe(429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(590);
    expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(600);
    expect(body).toEqual({ success: false, message: expect.stringMatching(/몰리고/) });
  }
  const marks = (await store.list({})).map(({ suspicion }) => suspicion);
  expect(marks).toEqual(["flooding", "flooding", undefined, undefined]);
  expect(await statuses(["마"], "192.0.2.2")).toEqual([200]);
});

test.for([
  ["applications", "with its key", ACCEPTED_NAMES],
  ["requests", "with its key", REFUSED_NAMES],
  ["requests", "without a key", REFUSED_NAMES],
] as const)(
  "a repeat $1 over a limit of $0 gets the answer of the first submission [3]",
  async ([, key, before], { store }) => {
    const { sendNamed, statuses } = newSender(store);
    const headers = {
      ...JSON_HEADERS,
      ...(key === "with its key" && { "idempotency-key": "first" }),
    };
    const first = await sendNamed("가", undefined, headers);
    await statuses(before);
    for (let times = 0; times < 9; times++)
      expect((await sendNamed("가", undefined, headers)).text).toBe(first.text);
    expect(await statuses(["바"])).toEqual([429]);
  },
);

test("refused and replayed applications count as requests", async ({ store }) => {
  const { sendNamed, statuses } = newSender(store);
  await statuses(ACCEPTED_NAMES);
  expect(await statuses(["가", "나", "", "", ""])).toEqual([200, 200, 400, 400, 400]);
  const { status, headers } = await sendNamed("");
  expect(status).toBe(429);
  expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(60);
});

test("refused and replayed requests do not count as applications", async ({ store }) => {
  const { limits, statuses } = newSender(store, { addressRequestsPerMinute: 100 });
  const fullStore = storeWithAccept(() =>
    Promise.reject(new StorageUnavailable("No room.", "full")),
  );
  for (let times = 0; times < 20; times++) {
    await callIntake({ store: fullStore, limits });
    await statuses(["가"]);
  }
  expect(await statuses(["나", "다", "라"])).toEqual([200, 200, 200]);
});

test("a refusal by the total limit uses up no limit of its address", async ({ store }) => {
  const { limits, statuses } = newSender(store);
  for (let index = 0; index < 5; index++)
    expect(await statuses([`여럿${index}`], `192.0.2.${index}`)).toEqual([200]);
  expect(await statuses(ACCEPTED_NAMES, "192.0.2.7")).toEqual([429, 429, 429, 429]);
  expect(limits.countApplication("192.0.2.7").retryAfterSeconds).toBeLessThanOrEqual(60);
});
