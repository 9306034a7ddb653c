import { expect } from "vitest";
import { DAY, HOUR, MINUTE } from "#lib/application/durations.ts";
import { parseConfig } from "#lib/config.ts";
import {
  checkHealth,
  deliveryFindings,
  formatDuration,
  type HealthDeps,
} from "#lib/delivery/health.ts";
import { createRecorder } from "#lib/delivery/record.ts";
import { resendApplication } from "#lib/delivery/resend.ts";
import { OVERDUE_AFTER_MS, REPEAT_MAIL_AFTER_MS, stuckAfterMs } from "#lib/delivery/retry.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { Answer } from "#lib/storage/outcomes.ts";
import type { Store } from "#lib/storage/store.ts";
import { deliverWith } from "#testing/delivery/deliver-with.ts";
import { mailSettings, smsSettings } from "#testing/site/settings.ts";
import {
  aNewApplication,
  TEST_NOW,
  testWithStore as test,
} from "#testing/storage/temporary-store.ts";

const SITE = { SITE_URL: "https://practice.example" };
const MAIL_SETTINGS = { ...SITE, ...mailSettings({ host: "localhost", port: 587 }) };
const noChannel = parseConfig(SITE);
const mailAlone = parseConfig(MAIL_SETTINGS);
const both = parseConfig({ ...MAIL_SETTINGS, ...smsSettings({ url: "https://sms.example" }) });
const localSite = parseConfig({});

type Settings = HealthDeps["config"];

async function healthAt(store: HealthDeps["store"], config: Settings, now: number) {
  const worker = { lastPassAt: now };
  return checkHealth({ store: { ...store, now: () => now }, config, worker });
}
const sentences = async (store: Store, config: Settings, now: number) =>
  (await deliveryFindings(store, config, now)).map(({ sentence }) => sentence);

const advice = "받는 주소를 거부했습니다(554). 확인해 주세요.";
const failedAnswer = (outcome: "rejected" | "not-sent" | "unknown", said: string): Answer => ({
  outcome,
  fault: { error: "554", advice: said, about: said === advice ? "recipient" : "channel" },
});
const refusedRecipient = failedAnswer("rejected", advice);
const refusedLogin = failedAnswer("rejected", "로그인이 거부되었습니다. 확인해 주세요.");
const silence = failedAnswer("not-sent", "답이 없습니다. 확인해 주세요.");
const DOUBTFUL = failedAnswer("unknown", "답이 없습니다. 확인해 주세요.");
function deliverOtherMail(store: Store, now: number): Promise<void> {
  const test = { recipient: "owner@practice.example", segments: 0, answer: DELIVERED };
  const recorder = createRecorder({ channels: {}, now: () => now, random: () => 0 });
  return store.change((trx) => recorder.recordTest(trx, "mail", [test]));
}
const WELL = { state: "ok", needsAction: false };
const DEGRADED = { state: "degraded", needsAction: false };
const NEEDS_ACTION = { state: "degraded", needsAction: true };
const DOWN = { state: "down", needsAction: true };

const DELIVERED: Answer = { outcome: "delivered" };
const IN_DOUBT = { mail: DOUBTFUL };
const BY_MAIL = { sms: refusedLogin, mail: DELIVERED };
const LOGIN_FAULT_PATTERN =
  /^문자 발송이 3일째 되지 않습니다\. 로그인이 거부되었습니다\. 확인해 주세요\.$/;
const FILED_PATTERN = /파일로 보관한 신청이 1건.*12월 1일\(화\) 오전 9:30에 접수/;

/** The outcomes of each pass of the worker. */
type Passes = Partial<Record<"sms" | "mail", Answer>>[];
test.for<[what: string, health: object, passes: Passes, Settings, ms: number, says?: RegExp]>([
  ["waits for a moment", WELL, [], both, 2_500],
  ["waits without a known fault", NEEDS_ACTION, [], both, HOUR, /list로 접수번호를/],
  ["waits for settings", NEEDS_ACTION, [], noChannel, 2_500],
  ["has arrived", WELL, [{ sms: DELIVERED, mail: DELIVERED }], both, DAY],
  ["went out by the other channel", DEGRADED, [BY_MAIL], both, 3 * DAY, LOGIN_FAULT_PATTERN],
  ["was rejected by a channel that has left the settings", WELL, [BY_MAIL], mailAlone, DAY],
  ["was given up", NEEDS_ACTION, [IN_DOUBT, IN_DOUBT], mailAlone, DAY, /신청이 1건 있습니다/],
  ["was filed without a channel", NEEDS_ACTION, [{}], noChannel, 0, FILED_PATTERN],
  [
    "was filed by another server",
    NEEDS_ACTION,
    [{}],
    both,
    0,
    /채 실행된 서버가 파일로 보관한 신청이 1건/,
  ],
  ["was filed on a local site", WELL, [{}], localSite, 0],
])(
  "the health of a site whose application %s is %j [53][85][93]",
  async ([, health, passes, config, ms, says], { store, temporary }) => {
    await store.accept(aNewApplication());
    for (const [index, ends] of passes.entries())
      await deliverWith(temporary, ends, TEST_NOW + index * REPEAT_MAIL_AFTER_MS);
    expect(await healthAt(store, config, TEST_NOW + ms)).toEqual(health);
    const said = await sentences(store, config, TEST_NOW + ms);
    expect(said.slice(0, 1)).toEqual(says ? [expect.stringMatching(says)] : []);
  },
);

test.for([
  ["refuses the address", refusedRecipient, advice],
  ["refuses the login", refusedLogin, "로그인이 거부되었습니다"],
  ["does not answer", silence, "답이 없습니다"],
] as const)(
  "status asks for a person after 15 minutes if the only channel %s [63]",
  async ([, end, why], { store, temporary }) => {
    await store.accept(aNewApplication({ route: "mail" }));
    await deliverOtherMail(store, TEST_NOW - DAY);
    await deliverWith(temporary, { mail: end });
    expect((await healthAt(store, mailAlone, TEST_NOW + stuckAfterMs(1) - 1)).needsAction).toBe(
      false,
    );
    const later = TEST_NOW + stuckAfterMs(1) + 1.9 * MINUTE;
    // A second channel has two more minutes for its failover.
    expect((await healthAt(store, both, later)).needsAction).toBe(false);
    expect(await healthAt(store, mailAlone, later)).toEqual(NEEDS_ACTION);
    const [first, ...rest] = await sentences(store, mailAlone, later);
    const minutes = stuckAfterMs(1) / MINUTE + 1;
    expect(first).toMatch(
      RegExp(`^${minutes}분째 아무것도 .*신청 1건.*아래 문제를 해결해 주세요\\.$`),
    );
    expect(rest.join()).toContain(why);
    await deliverOtherMail(store, later);
    expect((await healthAt(store, mailAlone, later)).needsAction).toBe(false);
    // Other mails get through, and the application has waited for too long.
    await deliverOtherMail(store, TEST_NOW + OVERDUE_AFTER_MS - 1);
    expect((await healthAt(store, mailAlone, TEST_NOW + OVERDUE_AFTER_MS - 1)).needsAction).toBe(
      false,
    );
    expect(await healthAt(store, mailAlone, TEST_NOW + OVERDUE_AFTER_MS)).toEqual(NEEDS_ACTION);
    const [waits] = await sentences(store, mailAlone, TEST_NOW + OVERDUE_AFTER_MS);
    expect(waits).toMatch(RegExp(`^${OVERDUE_AFTER_MS / HOUR}시간째 전달되지 않은`));
    await deliverWith(temporary, { mail: { outcome: "delivered" } }, TEST_NOW + OVERDUE_AFTER_MS);
    expect(await healthAt(store, mailAlone, TEST_NOW + OVERDUE_AFTER_MS + MINUTE)).toEqual(WELL);
  },
);

test("a clock that was set back does not silence status", async ({ store, temporary }) => {
  const ahead = TEST_NOW + 9 * HOUR;
  await deliverOtherMail(store, ahead);
  await store.accept(aNewApplication({ route: "mail", now: ahead }));
  await deliverWith(temporary, { mail: silence }, ahead);
  expect(await healthAt(store, mailAlone, TEST_NOW + stuckAfterMs(1))).toEqual(NEEDS_ACTION);
  expect(await sentences(store, mailAlone, TEST_NOW)).toContainEqual(
    expect.stringMatching(/^9시간째/),
  );
});

test("a resent application of unknown outcome needs a person", async ({ store, temporary }) => {
  const accepted = await store.accept(aNewApplication({ route: "mail" }));
  await deliverWith(temporary, { mail: silence });
  await deliverWith(temporary, { mail: DOUBTFUL }, TEST_NOW + 10 * MINUTE);
  if (!("applicationId" in accepted)) throw new Error(accepted.outcome);
  const asked = TEST_NOW + 12 * MINUTE;
  await resendApplication(store, accepted.applicationId, { again: false, now: asked });
  await deliverWith(temporary, { mail: DOUBTFUL }, asked);
  expect(await healthAt(store, mailAlone, TEST_NOW + stuckAfterMs(1) + MINUTE)).toEqual(
    NEEDS_ACTION,
  );
});

test("the advice about given-up applications is that of the last one", async ({
  store,
  temporary,
}) => {
  for (const [hours, last] of ["이전 것.", "나중 것."].entries()) {
    const now = TEST_NOW + hours * HOUR;
    await store.accept(aNewApplication({ route: "mail", idempotencyKey: last, now }));
    await deliverWith(temporary, { mail: failedAnswer("unknown", "처음.") }, now);
    await deliverWith(
      temporary,
      { mail: failedAnswer("unknown", last) },
      now + REPEAT_MAIL_AFTER_MS,
    );
  }
  const lastGivenUpAt = TEST_NOW + HOUR + REPEAT_MAIL_AFTER_MS;
  const counts = { givenUp: 2, lastGivenUpAdvice: "나중 것.", lastGivenUpAt };
  expect(await store.countApplications()).toMatchObject(counts);
});

test("a failed backup degrades health until another backup succeeds", async ({ store }) => {
  await store.writeNote("backup-failure", { at: TEST_NOW, value: "no room" });
  expect(await healthAt(store, both, TEST_NOW)).toEqual(DEGRADED);
  expect((await sentences(store, both, TEST_NOW)).join()).toMatch(/no room.*멈추지 않/);
  await store.writeNote("backup", { at: TEST_NOW + 1, value: "a.db" });
  expect(await healthAt(store, both, TEST_NOW + 1)).toEqual(WELL);
});

test("the finding of a failed backup does not contradict that nothing is delivered", async ({
  store,
}) => {
  await store.accept(aNewApplication());
  await store.writeNote("backup-failure", { at: TEST_NOW, value: "no room" });
  const said = (await sentences(store, both, TEST_NOW + HOUR)).join();
  expect(said).toMatch(/아무것도 전달되지 않고 .*no room/);
  expect(said).not.toMatch(/잘 접수|전달됩니다/);
});

test.for<
  [what: string, health: object, operation: "probeAcceptance" | "countApplications", error: Error]
>([
  ["a full disk", DOWN, "probeAcceptance", new StorageUnavailable("No room.", "full")],
  ["an unknown error of the write probe", DOWN, "probeAcceptance", new Error("XX000")],
  ["an unknown error of the counts", NEEDS_ACTION, "countApplications", new Error("3F000")],
])("the health of a site with %s is %j", async ([, health, operation, error], { store }) => {
  const failing = { ...store, [operation]: () => Promise.reject(error) };
  expect(await healthAt(failing, both, TEST_NOW)).toEqual(health);
});

test.for([
  ["stopped", { lastPassAt: undefined }],
  ["stalled", { lastPassAt: TEST_NOW - 6 * MINUTE }],
  ["absent", undefined],
] as const)("status asks for a person if the worker is %s [25]", async ([, worker], { store }) => {
  const deps = { store: { ...store, now: () => TEST_NOW }, config: both, worker };
  expect(await checkHealth(deps)).toEqual(NEEDS_ACTION);
});

test.each([
  [0, "1분"],
  [2 * HOUR - 1, "119분"],
  [2 * HOUR, "2시간"],
  [2 * DAY - 1, "47시간"],
  [2 * DAY, "2일"],
])("a duration of %d ms is shown as %s", (ms, shown) => {
  expect(formatDuration(ms)).toBe(shown);
});
