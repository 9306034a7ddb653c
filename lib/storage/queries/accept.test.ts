import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FIELD_NAMES } from "#lib/application/fields.ts";
import { contentHashOf, REPEAT_WINDOW_MS } from "#lib/storage/queries/accept.ts";
import { KEY_KEPT_MS } from "#lib/storage/queries/deletion.ts";
import type { Store } from "#lib/storage/store.ts";
import { oneTurn } from "#testing/one-turn.ts";
import {
  aNewApplication,
  anApplication,
  TEST_NOW,
  temporaryStore,
} from "#testing/temporary-store.ts";

async function rows(store: Store) {
  return (await store.list({})).length;
}

describe("with an idempotency key", () => {
  test("the same content again gets the first answer, and one row exists", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    const first = await store.accept(aNewApplication({ idempotencyKey: "k" }));
    const again = await store.accept(
      aNewApplication({ idempotencyKey: "k", now: TEST_NOW + 5_000 }),
    );
    expect(first.outcome).toBe("stored");
    expect(again).toEqual({ ...first, outcome: "replayed" });
    expect(await rows(store)).toBe(1);
  });

  test("the same content on the other route is the same application", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    const first = await store.accept(aNewApplication({ idempotencyKey: "k", route: "sms" }));
    const other = await store.accept(aNewApplication({ idempotencyKey: "k", route: "mail" }));
    expect(other).toEqual({ ...first, outcome: "replayed" });
    expect(await rows(store)).toBe(1);
  });

  test("other content under the same key is refused, and the first row stays as it was", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    await store.accept(aNewApplication({ idempotencyKey: "k" }));
    const other = aNewApplication({ idempotencyKey: "k", application: anApplication({ age: 33 }) });
    expect(await store.accept(other)).toEqual({ outcome: "key-reused" });
    const [stored] = await store.list({});
    expect(stored?.application).toEqual(anApplication());
    expect(await rows(store)).toBe(1);
  });

  test("another key stores the same content once more, however soon", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    await store.accept(aNewApplication({ idempotencyKey: "k" }));
    const other = await store.accept(aNewApplication({ idempotencyKey: "other" }));
    expect(other.outcome).toBe("stored");
    expect(await rows(store)).toBe(2);
  });

  test("20 requests at once make one row and get one number", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => store.accept(aNewApplication({ idempotencyKey: "k" }))),
    );
    expect(answers.filter(({ outcome }) => outcome === "stored")).toHaveLength(1);
    expect(answers.filter(({ outcome }) => outcome === "replayed")).toHaveLength(19);
    expect(new Set(answers.map((a) => "applicationId" in a && a.applicationId)).size).toBe(1);
    expect(await rows(store)).toBe(1);
  });

  test("20 requests at once over two connections to one database make one row", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    const second = temporary.another();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? store : second).accept(aNewApplication({ idempotencyKey: "k" })),
      ),
    );
    await second.close();
    expect(answers.filter(({ outcome }) => outcome === "stored")).toHaveLength(1);
    expect(await rows(store)).toBe(1);
  });

  test("a key is known for at least 7 days and forgotten once it is deleted", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    await store.accept(aNewApplication({ idempotencyKey: "k" }));
    const after7Days = TEST_NOW + 7 * 24 * 60 * 60_000 + 1;
    const answer = await store.accept(aNewApplication({ idempotencyKey: "k", now: after7Days }));
    expect(answer.outcome).toBe("replayed");

    const expired = TEST_NOW + KEY_KEPT_MS + 1;
    await store.deleteKeysBefore(expired - KEY_KEPT_MS);
    const anew = await store.accept(aNewApplication({ idempotencyKey: "k", now: expired }));
    expect(anew.outcome).toBe("stored");
  });

  test("a key outlives a clock that jumps a year", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    await store.accept(aNewApplication({ idempotencyKey: "k" }));
    const now = TEST_NOW + 365 * 24 * 60 * 60_000;
    await store.accept(aNewApplication({ idempotencyKey: "another", now }));
    const again = await store.accept(aNewApplication({ idempotencyKey: "k", now }));
    expect(again.outcome).toBe("replayed");
  });

  test("the first answer comes again although its application was deleted since", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    const first = await store.accept(aNewApplication({ idempotencyKey: "k" }));
    await oneTurn(temporary, { sms: { outcome: "delivered" } });
    await store.deleteDeliveredBefore(TEST_NOW + 1);
    expect(await rows(store)).toBe(0);
    const again = await store.accept(aNewApplication({ idempotencyKey: "k" }));
    expect(again).toEqual({ ...first, outcome: "replayed" });
    expect(await rows(store)).toBe(0);
  });
});

describe("without a key", () => {
  const cases = [
    { after: 0, route: "sms", outcome: "replayed" },
    { after: REPEAT_WINDOW_MS - 1, route: "sms", outcome: "replayed" },
    { after: REPEAT_WINDOW_MS, route: "sms", outcome: "stored" },
    { after: 1_000, route: "mail", outcome: "stored" },
    // The clock was set back by an hour in between.
    { after: -3_600_000, route: "sms", outcome: "stored" },
  ] as const;
  test.each(cases)("the same content $after ms later on $route is $outcome", async (then) => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    await store.accept(aNewApplication());
    const answer = await store.accept(
      aNewApplication({ route: then.route, now: TEST_NOW + then.after }),
    );
    expect(answer.outcome).toBe(then.outcome);
  });

  test("other content is another application", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    await store.accept(aNewApplication());
    const answer = await store.accept(
      aNewApplication({ application: anApplication({ message: "" }) }),
    );
    expect(answer.outcome).toBe("stored");
  });

  test("20 requests at once make one row", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    await Promise.all(Array.from({ length: 20 }, () => store.accept(aNewApplication())));
    expect(await rows(store)).toBe(1);
  });
});

test("an application comes back from the disk as it went in", async () => {
  await using temporary = temporaryStore();
  const application = anApplication({
    name: 'O\'Brien "샾" 🚗',
    message: "첫 줄\n둘째 줄 =cmd() <b>",
  });
  const { store } = temporary;
  const answer = await store.accept(aNewApplication({ application, route: "mail" }));
  await store.close();

  const reopened = temporary.another();
  const [stored] = await reopened.list({});
  await reopened.close();
  expect(stored).toMatchObject({ route: "mail", submittedAt: TEST_NOW, application });
  expect(answer).toMatchObject({ applicationId: stored?.applicationId });
});

test("a number that is taken is drawn anew", async () => {
  const numbers = ["AAAAAAAA", "AAAAAAAA", "AAAAAAAA", "BBBBBBBB"];
  await using temporary = temporaryStore(() => numbers.shift() ?? "CCCCCCCC");
  const { store } = temporary;
  const first = await store.accept(aNewApplication({ idempotencyKey: "1" }));
  const second = await store.accept(aNewApplication({ idempotencyKey: "2" }));
  expect(first).toMatchObject({ applicationId: "AAAAAAAA" });
  expect(second).toMatchObject({ outcome: "stored", applicationId: "BBBBBBBB" });
});

test("one application that cannot be stored does not fail the others of its group", async () => {
  const numbers = ["AAAAAAAA"];
  // From the second number on the source is stuck, so that a second application finds none.
  await using temporary = temporaryStore(() => numbers.shift() ?? "BBBBBBBB");
  const { store } = temporary;
  const answers = await Promise.allSettled(
    ["1", "2", "3"].map((idempotencyKey) => store.accept(aNewApplication({ idempotencyKey }))),
  );
  const stored = answers.filter(({ status }) => status === "fulfilled");
  expect(stored.length).toBeGreaterThan(0);
  expect(stored.length).toBeLessThan(3);
  expect(await rows(store)).toBe(stored.length);
});

test("two applications have the same hash only when all of their fields are the same", () => {
  const word = fc.string({ maxLength: 4 });
  const fields = fc.record({ name: word, phone: word, region: word, message: word });
  fc.assert(
    fc.property(fields, fields, (one, other) => {
      const [first, second] = [anApplication(one), anApplication(other)];
      const same = FIELD_NAMES.every((field) => first[field] === second[field]);
      expect(contentHashOf(first) === contentHashOf(second)).toBe(same);
    }),
  );
});

test("a field that an update adds changes no hash of before, unless it is filled in", () => {
  const before = anApplication({ message: "" });
  // As 1.0.0 made it.
  const golden = "7db3cce2a127897a0a462b6838c25abef07e6d4f5c0c48f5102adc5521c90a8c";
  expect(contentHashOf(before)).toBe(golden);
  expect(contentHashOf({ ...before, experience: "", added: "" })).toBe(golden);
  const filledIn = contentHashOf({ ...before, experience: "2년", added: "x" });
  expect(filledIn).not.toBe(golden);
  expect(contentHashOf({ added: "x", ...before, experience: "2년" })).toBe(filledIn);
  expect(contentHashOf({ ...before, experience: "x", added: "2년" })).not.toBe(filledIn);
});

test("an application that corrects another one names it, where it is one of ours", async () => {
  await using temporary = temporaryStore();
  const { store } = temporary;
  const first = await store.accept(aNewApplication({ idempotencyKey: "first" }));
  const applicationId = "applicationId" in first ? first.applicationId : "";
  for (const correctsKey of ["first", "of another site"]) {
    await store.accept(aNewApplication({ idempotencyKey: correctsKey + 2, correctsKey }));
  }
  expect(await store.list({})).toMatchObject([
    { corrects: undefined },
    { corrects: applicationId },
    { applicationId, corrects: undefined },
  ]);
});
