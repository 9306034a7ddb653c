import twilio from "twilio";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { AttemptResult, MessageQuery, OwnerMessage } from "#lib/channels/channel.ts";
import { smsOf } from "#lib/channels/sms/text.ts";
import { openSms } from "#lib/channels/sms/twilio.ts";
import { aStoredApplication } from "#testing/fixtures/stored-application.ts";
import { type Misbehaviour, TWILIO_ACCOUNT, TwilioPeer } from "#testing/peers/twilio-peer.ts";

const NOW = Date.parse("2026-12-01T00:30:00Z");
const FROM = "+12025550100";
const OWNER = "+821099990000";
let peer: TwilioPeer;
let apiUrl: string;

beforeEach(async () => {
  peer = new TwilioPeer();
  apiUrl = await peer.start();
});
afterEach(() => peer.stop());

function sms(changes: { to?: string[]; apiUrl?: string } = {}) {
  const account = { ...TWILIO_ACCOUNT, sender: { from: FROM }, to: [OWNER], apiUrl, ...changes };
  return openSms(account, () => NOW);
}
const message: OwnerMessage = { kind: "application", application: aStoredApplication() };
const never = () => new AbortController().signal;
function sendAll(changes?: Parameters<typeof sms>[0], what = message) {
  const channel = sms(changes);
  return channel.transmit(what, channel.recipients, { signal: never() });
}
async function send(changes?: Parameters<typeof sms>[0], what = message): Promise<AttemptResult> {
  const [end] = await sendAll(changes, what);
  if (end === undefined) throw new Error("no end");
  return end;
}
function find(changes: Partial<MessageQuery> = {}) {
  const sought = { applicationId: "7K3MPQ9X", recipient: OWNER, since: Date.now(), exceptIds: [] };
  return sms().statusChecks?.findMessage({ ...sought, ...changes }, never());
}

test("the owner's phone gets the text once, within half a minute, and the end carries Twilio's SID", async () => {
  const request = vi.spyOn(twilio.RequestClient.prototype, "request");
  const end = await send();
  expect(request.mock.calls).toMatchObject([[{ method: "post", timeout: 30_000 }]]);
  expect(peer.messages).toMatchObject([
    { to: OWNER, from: FROM, body: smsOf(aStoredApplication()).text, validityPeriod: 900 },
  ]);
  expect(end).toEqual({
    outcome: "accepted",
    providerId: peer.messages[0]?.sid,
    hasLeftProvider: false,
  });
});

test("each of the owner's numbers gets the text, once, and has an end of its own", async () => {
  const ends = await sendAll({ to: [OWNER, "12", "+821099990001", OWNER] });
  expect(peer.messages.map(({ to }) => to).toSorted()).toEqual([OWNER, "+821099990001"]);
  expect(ends.map(({ outcome }) => outcome)).toEqual(["accepted", "rejected", "accepted"]);
});

describe("a message that was taken", () => {
  const follow = async () => {
    const { providerId = "" } = await send();
    return sms().statusChecks?.fetchStatus(providerId, never());
  };
  const refused = (about: string, advice: string) => ({
    outcome: "rejected",
    providerId: expect.any(String),
    fault: { about, advice: expect.stringMatching(`${advice}.*주세요\\.$`) },
  });

  test.each([
    ["delivered", undefined, { outcome: "delivered" }],
    ["sent", undefined, { outcome: "accepted", hasLeftProvider: true }],
    ["queued", undefined, { outcome: "accepted", hasLeftProvider: false }],
    ["failed", 30002, refused("channel", "잔액")],
    ["undelivered", 30003, refused("recipient", "꺼져")],
    ["undelivered", 30004, refused("recipient", "막았습니다")],
    ["undelivered", 30005, refused("recipient", "받는 번호")],
    ["undelivered", 30006, refused("recipient", "받는 번호")],
    ["undelivered", 30007, refused("recipient", "스팸함")],
    ["failed", 30008, refused("recipient", "30008")],
    ["failed", 30036, refused("channel", "15분")],
    ["canceled", undefined, refused("recipient", "국제발신")],
  ])("and is %s (%s)", async (status, code, expected) => {
    peer.becomes = { status, ...(code ? { code } : {}) };
    const end = await follow();
    expect(end).toMatchObject(expected);
    if (code) expect(end?.fault?.error).toContain(`${code}`);
  });

  test.each<Misbehaviour>([
    { resets: true },
    { status: 500 },
    { status: 401, code: 20003 },
    { status: 403 },
  ])("and cannot be asked about is not judged: %o", async (fault) => {
    peer.asked = fault;
    expect(await follow()).toMatchObject({ outcome: "unknown", fault: { about: "channel" } });
    expect(await find()).toMatchObject({ outcome: "unknown", fault: { about: "channel" } });
  });

  const correction = {
    ...aStoredApplication(),
    applicationId: "8ABCDEFG",
    earlierToday: { applicationId: "7K3MPQ9X", count: 2 },
  };
  const found = { outcome: "delivered" };
  const absent = { outcome: "absent" };
  test.each<[string, Partial<OwnerMessage>, Partial<MessageQuery>, object]>([
    ["by its number", {}, {}, found],
    ["not by another number", {}, { applicationId: "7K3MPQ9Y" }, absent],
    ["not for another recipient", {}, { recipient: "+821099990001" }, absent],
    ["not where it is known", {}, { exceptIds: ["SM1"] }, absent],
    ["not as the earlier one that it corrects", { application: correction }, {}, absent],
    ["as the correction", { application: correction }, { applicationId: "8ABCDEFG" }, found],
  ])("is found %s", async (_how, changes, sought, end) => {
    await send({}, { ...message, ...changes } as OwnerMessage);
    const exceptIds = sought.exceptIds && [peer.messages[0]?.sid ?? ""];
    expect(await find({ ...sought, ...(exceptIds && { exceptIds }) })).toMatchObject(end);
  });

  test("is found on a later page of the list, which ends before the message was begun", async () => {
    await send();
    for (let other = 0; other < 4; other++) await send({}, { kind: "test", text: "시험" });
    peer.mostPerPage = 2;
    expect(await find()).toMatchObject({ outcome: "delivered" });
    expect(peer.looks).toBe(3);
    // Younger than all of them: the first page says that it is not there.
    expect(await find({ since: Date.now() + 3_600_000 })).toEqual({ outcome: "absent" });
    expect(peer.looks).toBe(4);
  });
});

test.each<[string, unknown]>([
  ["a body of null", { sid: "SM1", status: "delivered", body: null, price: null, from: null }],
  ["no SID", { sid: null, status: "queued", body: "운전연수" }],
  ["an error code that is a text", { sid: "SM2", body: "x", error_code: "30003" }],
  ["nothing in it", null],
])("an entry of Twilio's list with %s hides none behind it", async (_what, odd) => {
  await send();
  peer.odd = [odd];
  expect(await find()).toMatchObject({ outcome: "delivered" });
  expect(await find({ applicationId: "7K3MPQ9Y" })).toEqual({ outcome: "absent" });
});

describe("a refusal", () => {
  test.each([
    [[20003], "channel", "로그인"],
    [[10001, 20005, 20403], "channel", "정지되었거나"],
    [[21212, 21606, 21659, 21660, 21661, 21266], "channel", "보내는 번호"],
    [[21701, 21703, 21704, 21705], "channel", "메시징 서비스"],
    [[21408], "channel", "Geo permissions"],
    [[21211, 21612, 21614, 21635], "recipient", "받는 번호"],
    [[21608], "recipient", "인증"],
    [[21610], "recipient", "수신 거부"],
    [[21617], "message", "너무 깁니다"],
    [[29999], "channel", "29999"],
  ])("with code %j is the fault of the %s: %s", async (codes, about, advice) => {
    for (const code of codes) {
      peer.next({ status: 400, code });
      const end = await send();
      expect(end).toMatchObject({ outcome: "rejected", fault: { about } });
      expect(end.providerId).toBeUndefined();
      expect(end.fault?.error).toContain(`HTTP 400, code ${code}: refused:`);
      expect(end.fault?.advice).toContain(advice);
      expect(end.fault?.advice).toMatch(/주세요\.$/);
    }
  });

  test("repeats nothing of what the visitor wrote, though Twilio's answer does", async () => {
    peer.next({ status: 400, code: 21211 });
    const application = aStoredApplication({ name: "Kim 홍길동", message: "secret words" });
    const end = JSON.stringify(await send({}, { kind: "application", application }));
    expect(end).not.toMatch(/홍길동|Kim|secret|1234|9999/);
  });
});

const date = "Tue, 01 Dec 2026 00:40:00 GMT";
test.each<[Misbehaviour, number | undefined]>([
  [{ status: 429, code: 20429, headers: { "retry-after": "120" } }, NOW + 120_000],
  [{ status: 429, headers: { "retry-after": date } }, Date.parse(date)],
  [{ status: 429 }, undefined],
  [{ status: 400, code: 21611 }, undefined],
])("too many messages are tried again when Twilio says: %o", async (fault, notBefore) => {
  peer.next(fault);
  const end = await send();
  expect(end).toMatchObject({ outcome: "not-sent", notBefore, fault: { about: "channel" } });
});

test.each<[string, Misbehaviour]>([
  ["a 500", { status: 500 }],
  ["a 408", { status: 408 }],
  ["a 503 that stored the message", { status: 503, stores: true }],
  ["a reset connection", { resets: true }],
  ["a 201 that is not JSON", { text: "<html>" }],
  ["a 201 without a SID", { text: "{}" }],
])("%s leaves it open whether the message is out", async (_name, misbehaviour) => {
  peer.next(misbehaviour);
  expect(await send()).toMatchObject({
    outcome: "unknown",
    fault: { about: "channel", error: expect.stringContaining("may have been sent") },
  });
});

test("a Twilio that hangs, or is not there, leaves it open too", async () => {
  peer.next({ hangs: true });
  const stop = new AbortController();
  const ends = sms().transmit(message, [OWNER], { signal: stop.signal });
  await expect.poll(() => peer.requests).toBe(1);
  stop.abort();
  expect(await ends).toMatchObject([{ outcome: "unknown" }]);
  expect(await send({ apiUrl: "http://127.0.0.1:1" })).toMatchObject({ outcome: "unknown" });
});

test("a redirect is not followed with our login", async () => {
  const other = new TwilioPeer();
  const location = `${await other.start()}/2010-04-01/Accounts/x/Messages.json`;
  peer.next({ status: 307, headers: { location } });
  expect((await send()).outcome).toBe("rejected");
  expect(other.requests).toBe(0);
  await other.stop();
});

test("what a message costs is counted as it is really cut", () => {
  const segments = (text: string) => sms().segments({ kind: "test", text });
  expect([1, 70, 71, 134, 135, 201, 202, 268, 500].map((n) => segments("가".repeat(n)))).toEqual([
    1, 1, 2, 2, 3, 3, 4, 4, 4,
  ]);
});
