import { expect } from "vitest";
import type { AttemptResult } from "#lib/channels/channel.ts";
import { parseConfig } from "#lib/config.ts";
import { deliveryFindings, healthOf } from "#lib/delivery/health.ts";
import type { WorkerStatus } from "#lib/process-globals.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { Store } from "#lib/storage/store.ts";
import { oneTurn } from "#testing/delivery/run-worker-once.ts";
import { DAY, MINUTE } from "#testing/durations.ts";
import { mailSettings, smsSettings } from "#testing/site/settings.ts";
import { aNewApplication, TEST_NOW, withStore as test } from "#testing/storage/temporary-store.ts";

const SITE = { SITE_URL: "https://practice.example" };
const MAIL = { ...SITE, ...mailSettings({ url: "smtp://localhost" }) };
const nothing = parseConfig(SITE);
const mailAlone = parseConfig(MAIL);
const both = parseConfig({ ...MAIL, ...smsSettings({ url: "https://sms.example" }) });
const local = parseConfig({});
const workerIn = (state: WorkerStatus["state"], lastTurnAt = TEST_NOW) => ({
  status: () => ({ state, lastTurnAt }),
});

type Settings = Parameters<typeof deliveryFindings>[1];

function look(store: Store, config: Settings, now: number) {
  return healthOf({ store, config, worker: workerIn("running", now), now: () => now });
}
const sentences = async (store: Store, config: Settings, now: number) =>
  (await deliveryFindings(store, config, now)).map(({ sentence }) => sentence);

const advice = "받는 주소를 거부했습니다(554). 확인해 주세요.";
const endOf = (outcome: "rejected" | "not-sent" | "unknown", said: string): AttemptResult => ({
  outcome,
  fault: { error: "554", advice: said, about: said === advice ? "recipient" : "channel" },
});
const refusedRecipient = endOf("rejected", advice);
const refusedLogin = endOf("rejected", "로그인이 거부되었습니다. 확인해 주세요.");
const silence = endOf("not-sent", "답이 없습니다. 확인해 주세요.");
const DOUBTFUL = endOf("unknown", "답이 없습니다. 확인해 주세요.");
const QUIET = { status: "ok", urgent: false };
const ACT = { status: "degraded", urgent: true };

const DELIVERED: AttemptResult = { outcome: "delivered" };
const LOOK = { status: "degraded", urgent: false };
const IN_DOUBT = { mail: DOUBTFUL };
const BY_MAIL = { sms: refusedLogin, mail: DELIVERED };
const LOGIN = /^문자 발송이 24시간째 되지 않습니다\. 로그인이 거부되었습니다\. 확인해 주세요\.$/;
const FILED = /파일로 보관한 신청이 1건.*12월 1일\(화\) 오전 9:30에 접수/;

/** What became of it in each turn, a quarter of an hour apart. */
type Turns = Partial<Record<"sms" | "mail", AttemptResult>>[];
test.for<[what: string, turns: Turns, Settings, ms: number, health: object, says?: RegExp]>([
  ["waits for a moment", [], both, 2_500, QUIET],
  ["has arrived", [{ sms: DELIVERED, mail: DELIVERED }], both, DAY, QUIET],
  ["the other channel took", [BY_MAIL], both, DAY, LOOK, LOGIN],
  ["a channel refused that is set no more", [BY_MAIL], mailAlone, DAY, QUIET],
  ["was given up", [IN_DOUBT, IN_DOUBT], mailAlone, DAY, ACT, /신청이 1건 있습니다/],
  ["was filed without any channel", [{}], nothing, 0, LOOK, FILED],
  ["was filed on a machine that is tried out", [{}], local, 0, QUIET],
])("an application that %s", async ([, turns, config, ms, health, says], { store, temporary }) => {
  await store.accept(aNewApplication());
  for (const [index, ends] of turns.entries())
    await oneTurn(temporary, ends, TEST_NOW + index * 15 * MINUTE);
  expect(await look(store, config, TEST_NOW + ms)).toEqual(health);
  const said = await sentences(store, config, TEST_NOW + ms);
  expect(said.slice(0, 1)).toEqual(says ? [expect.stringMatching(says)] : []);
});

test.for([
  ["refuses the address", refusedRecipient, advice],
  ["refuses the login", refusedLogin, "로그인이 거부되었습니다"],
  ["says nothing", silence, "답이 없습니다"],
] as const)(
  "mail alone, that %s, is told after 15 minutes without anything that got through, and forgotten then",
  async ([, end, why], { store, temporary }) => {
    await store.accept(aNewApplication({ route: "mail" }));
    await oneTurn(temporary, { mail: end });
    expect((await look(store, mailAlone, TEST_NOW + 14 * MINUTE)).urgent).toBe(false);
    const later = TEST_NOW + 16 * MINUTE;
    expect(await look(store, mailAlone, later)).toEqual(ACT);
    const [first, ...rest] = await sentences(store, mailAlone, later);
    expect(first).toMatch(/^16분째 아무것도 전달되지 않고 있습니다\. 기다리는 신청 1건/);
    expect(rest.join()).toContain(why);
    await oneTurn(temporary, { mail: { outcome: "delivered" } }, later + 60 * MINUTE);
    expect(await look(store, mailAlone, later + 61 * MINUTE)).toEqual(QUIET);
  },
);

test("what was resent, and may be out, is told all the same", async ({ store, temporary }) => {
  const accepted = await store.accept(aNewApplication({ route: "mail" }));
  await oneTurn(temporary, { mail: silence });
  await oneTurn(temporary, { mail: DOUBTFUL }, TEST_NOW + 10 * MINUTE);
  if (!("applicationId" in accepted)) throw new Error(accepted.outcome);
  const asked = TEST_NOW + 12 * MINUTE;
  await store.resend(accepted.applicationId, { again: false, now: asked });
  await oneTurn(temporary, { mail: DOUBTFUL }, asked);
  expect(await look(store, mailAlone, TEST_NOW + 16 * MINUTE)).toEqual(ACT);
});

test("a failed backup is told, not as an outage, until another succeeds", async ({ store }) => {
  await store.writeNote("backup-failure", { at: TEST_NOW, value: "no room" });
  expect(await look(store, both, TEST_NOW)).toEqual({ status: "degraded", urgent: false });
  expect((await sentences(store, both, TEST_NOW)).join()).toMatch(/no room.*잘 접수되고 전달/);
  await store.writeNote("backup", { at: TEST_NOW + 1, value: "a.db" });
  expect(await look(store, both, TEST_NOW + 1)).toEqual(QUIET);
});

test("a store that is out is down", async () => {
  const out = () => Promise.reject(new StorageUnavailable("No room.", "full"));
  const store = new Proxy<Store>(Object.create(null), { get: () => out });
  expect(await look(store, both, TEST_NOW)).toEqual({ status: "down", urgent: true });
});

test.for([
  ["stopped", workerIn("stopped")],
  ["starting again", workerIn("restarting")],
  ["standing still", workerIn("running", TEST_NOW - 6 * MINUTE)],
  ["not there", undefined],
] as const)("a worker that is %s needs somebody", async ([, worker], { store }) => {
  const health = await healthOf({ store, config: both, worker, now: () => TEST_NOW });
  expect(health).toEqual(ACT);
});
