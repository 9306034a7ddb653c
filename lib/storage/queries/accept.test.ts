import fc from "fast-check";
import { expect } from "vitest";
import { APPLICATION_ID_ALPHABET, isApplicationId } from "#lib/application/application-id.ts";
import { DAY, HOUR } from "#lib/application/durations.ts";
import { FIELD_NAMES } from "#lib/application/fields.ts";
import { hashContent, newApplicationId, REPEAT_WINDOW_MS } from "#lib/storage/queries/accept.ts";
import type { Store } from "#lib/storage/store.ts";
import type { Acceptance, NewApplication } from "#lib/storage/stored-application.ts";
import { deliverWith } from "#testing/delivery/deliver-with.ts";
import {
  aNewApplication,
  anApplication,
  openTemporaryStore,
  TEST_NOW,
  testWithStore as test,
} from "#testing/storage/temporary-store.ts";

const accept = (store: Store, changes: Partial<NewApplication> = {}) =>
  store.accept(aNewApplication(changes));
const countRows = async (store: Store) => (await store.list({})).length;

const application = anApplication({ age: 33 });
test.for<[string, Partial<NewApplication>, Acceptance["outcome"]]>([
  ["the same content again", { now: TEST_NOW + 5_000 }, "replayed"],
  ["the same content on the other route", { route: "mail" }, "replayed"],
  ["other content", { application }, "key-reused"],
  ["the same content under another key", { idempotencyKey: "other" }, "stored"],
])("a second application with $0 is $2 [3][5]", async ([, changes, outcome], { store }) => {
  const first = await accept(store, { idempotencyKey: "k" });
  expect(first.outcome).toBe("stored");
  const again = await accept(store, { idempotencyKey: "k", ...changes });
  if (outcome === "replayed") expect(again).toEqual({ ...first, outcome });
  expect(again.outcome).toBe(outcome);
  expect(await countRows(store)).toBe(outcome === "stored" ? 2 : 1);
  expect((await store.list({})).at(-1)?.application).toEqual(anApplication());
});

test("20 requests with one key on both routes store one application [4]", async ({ store }) => {
  const routes = Array.from({ length: 20 }, (_, index) => (index % 2 ? "mail" : "sms"));
  await Promise.all(routes.map((route) => accept(store, { idempotencyKey: "k", route })));
  expect(await countRows(store)).toBe(1);
});

test("a key is remembered as long as its application [4]", async ({ store, temporary }) => {
  const first = await accept(store, { idempotencyKey: "k" });
  await deliverWith(temporary, { sms: { outcome: "delivered" } });
  const now = TEST_NOW + 89 * DAY;
  await store.deleteExpired(TEST_NOW);
  const again = await accept(store, { idempotencyKey: "k", now });
  expect(again).toEqual({ ...first, outcome: "replayed" });
  await store.deleteExpired(TEST_NOW + 1);
  expect((await accept(store, { idempotencyKey: "k", now })).outcome).toBe("stored");
});

test.for<[what: string, Acceptance["outcome"], Partial<NewApplication>]>([
  ["changes nothing", "replayed", {}],
  ["comes within the window", "replayed", { now: TEST_NOW + REPEAT_WINDOW_MS - 1 }],
  ["comes after the window", "stored", { now: TEST_NOW + REPEAT_WINDOW_MS }],
  ["changes the route", "stored", { now: TEST_NOW + 1_000, route: "mail" }],
  ["comes before the first", "stored", { now: TEST_NOW - HOUR }],
  ["changes the message", "stored", { application: anApplication({ message: "" }) }],
])("a second keyless request that %s is %s", async ([, outcome, changes], { store }) => {
  await accept(store);
  expect((await accept(store, changes)).outcome).toBe(outcome);
});

test("20 simultaneous keyless requests are stored as one application", async ({ store }) => {
  await Promise.all(Array.from({ length: 20 }, () => accept(store)));
  expect(await countRows(store)).toBe(1);
});

test("a new application number has 8 uniformly random characters", () => {
  const ids = Array.from({ length: 10_000 }, newApplicationId);
  expect(ids.filter((id) => !/^[^0O1ILU]{8}$/.test(id) || !isApplicationId(id))).toEqual([]);
  const expected = ids.length / APPLICATION_ID_ALPHABET.length;
  for (let place = 0; place < 8; place++) {
    for (const character of APPLICATION_ID_ALPHABET) {
      const found = ids.filter((id) => id[place] === character).length;
      // A fair source exceeds this limit less than once in 10^11 runs.
      expect(Math.abs(found - expected)).toBeLessThan(8 * Math.sqrt(expected));
    }
  }
});

test("an application gets another number if the drawn number is taken", async () => {
  const numbers = ["AAAAAAAA", "AAAAAAAA", "AAAAAAAA", "BBBBBBBB"];
  await using drawing = openTemporaryStore(() => numbers.shift() ?? "CCCCCCCC");
  const first = await drawing.store.accept(aNewApplication({ idempotencyKey: "1" }));
  const second = await drawing.store.accept(aNewApplication({ idempotencyKey: "2" }));
  expect(first).toMatchObject({ applicationId: "AAAAAAAA" });
  expect(second).toMatchObject({ outcome: "stored", applicationId: "BBBBBBBB" });
});

test("two applications have the same hash only when all of their fields are the same", () => {
  const word = fc.string({ maxLength: 4 });
  const fields = fc.record({ name: word, phone: word, region: word, message: word });
  fc.assert(
    fc.property(fields, fields, (one, other) => {
      const [first, second] = [anApplication(one), anApplication(other)];
      const same = FIELD_NAMES.every((field) => first[field] === second[field]);
      expect(hashContent(first) === hashContent(second)).toBe(same);
    }),
  );
});

test("a new field changes the hash of the content only if filled in [75]", () => {
  const before = anApplication({ message: "" });
  const golden = "61529c8860242d88083b2e65fd6434868179f1ce2cc269000ec09259f1748878";
  expect(hashContent(before)).toBe(golden);
  expect(hashContent({ ...before, experience: "", added: "" })).toBe(golden);
  const filledIn = hashContent({ ...before, experience: "2년", added: "x" });
  expect(filledIn).not.toBe(golden);
  expect(hashContent({ added: "x", ...before, experience: "2년" })).toBe(filledIn);
  expect(hashContent({ ...before, experience: "x", added: "2년" })).not.toBe(filledIn);
});
