import { describe, expect, test } from "vitest";
import { answerMessages } from "#lib/application/messages.ts";
import { openLimits } from "#lib/intake/limits.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { FIELDS } from "#testing/fixtures/request.ts";
import {
  FORM_TYPE,
  JSON_TYPE,
  resultIn,
  send,
  storeThat,
  withField,
} from "#testing/sent-application.ts";
import { TEST_NOW, temporaryStore } from "#testing/temporary-store.ts";

describe("over a limit", () => {
  const LIMITS = {
    addressRequestsPerMinute: 5,
    addressApplicationsPer10Minutes: 4,
    totalApplicationsPerMinute: 5,
  };
  const named = (name: string) => withField("name", name);

  test("of its address a new application is answered with 429, the time to wait, and takes nothing from others", async () => {
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
    expect(await store.counts(TEST_NOW)).toMatchObject({ waiting: 4 });
    const other = { store, limits, body: named("마"), address: "192.0.2.2" };
    expect((await send(other)).status).toBe(200);
  });

  test("holds for what comes at once, and a repeat still gets the answer of the first time", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    const limits = openLimits({ ...LIMITS, addressRequestsPerMinute: 100 });
    const sent = Array.from({ length: 20 }, (_, index) => ({
      ...{ store, limits, body: named(`동시${index}`) },
      headers: { ...JSON_TYPE, "idempotency-key": `${index}` },
    }));
    const answers = await Promise.all(sent.map(send));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(await store.counts(TEST_NOW)).toMatchObject({ waiting: 4 });
    const first = answers.findIndex(({ status }) => status === 200);
    expect((await send(sent[first])).text).toBe(answers[first]?.text);
  });

  test.each([
    ["with its key", { ...JSON_TYPE, "idempotency-key": "first" }],
    ["without a key", JSON_TYPE],
  ])("of requests a repeat %s still gets the answer of the first time", async (_, headers) => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    const limits = openLimits(LIMITS);
    const sent = { store, limits, headers, body: named("가") };
    const first = await send(sent);
    for (let times = 0; times < 9; times++) await send({ store, limits, body: named("") });
    for (let times = 0; times < 9; times++) expect((await send(sent)).text).toBe(first.text);
    const statuses = ["나", ""].map(async (name) => {
      return (await send({ store, limits, body: named(name) })).status;
    });
    expect(await Promise.all(statuses)).toEqual([429, 429]);
    expect(await store.counts(TEST_NOW)).toMatchObject({ waiting: 1 });
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
    for (let index = 0; index < 5; index++) expect((await from(index)).status).toBe(200);
    for (let times = 0; times < 5; times++) expect((await from(7)).status).toBe(429);
    expect(limits.countApplication("192.0.2.7").retryAfterSeconds).toBeLessThanOrEqual(60);
  });

  test("a form without JavaScript keeps its values when its address asks too often", async () => {
    const limits = openLimits({ ...LIMITS, addressRequestsPerMinute: 1 });
    limits.countRequest("192.0.2.1");
    const body = new URLSearchParams({ ...FIELDS, age: "32" }).toString();
    const store = storeThat(async () => ({ outcome: "not-a-repeat" }));
    const { status, headers } = await send({ store, limits, body, headers: FORM_TYPE });
    expect(status).toBe(303);
    expect(resultIn(headers)).toMatchObject({
      message: answerMessages.tooMany,
      values: { name: FIELDS.name },
    });
  });
});
