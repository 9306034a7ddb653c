import twilio from "twilio";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { MessageContent, MessageSearch } from "#lib/channels/channel.ts";
import { composeApplicationSms } from "#lib/channels/sms/text.ts";
import { openSmsChannel } from "#lib/channels/sms/twilio.ts";
import { aStoredApplication } from "#testing/fixtures/stored-application.ts";
import { TWILIO_ACCOUNT, type TwilioMisbehaviour, TwilioPeer } from "#testing/peers/twilio-peer.ts";

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

function openSms(changes: { to?: string[]; apiUrl?: string } = {}) {
  const account = { ...TWILIO_ACCOUNT, sender: { from: FROM }, to: [OWNER], apiUrl, ...changes };
  return openSmsChannel(account, () => NOW);
}
const message: MessageContent = { kind: "application", application: aStoredApplication() };
const neverAborted = () => new AbortController().signal;
const send = (
  changes?: Parameters<typeof openSms>[0],
  what: MessageContent = message,
  to = OWNER,
) => openSms(changes).transmit(what, to, { signal: neverAborted() });
function search(changes: Partial<MessageSearch> = {}) {
  const query = { applicationId: "7K3MPQ9X", recipient: OWNER, begunAt: Date.now(), exceptIds: [] };
  return openSms().statusChecks?.searchForMessage({ ...query, ...changes }, neverAborted());
}

test("a text goes out in one request to Twilio", async () => {
  const request = vi.spyOn(twilio.RequestClient.prototype, "request");
  const result = await send();
  const { sid } = peer.messages[0] ?? {};
  expect(request.mock.calls).toMatchObject([[{ method: "post", timeout: 30_000 }]]);
  expect(peer.messages).toMatchObject([
    {
      to: OWNER,
      from: FROM,
      body: composeApplicationSms(aStoredApplication()).text,
      validityPeriod: 900,
    },
  ]);
  expect(result).toEqual({ outcome: "accepted", providerId: sid, hasLeftProvider: false });
});

test("a number that occurs twice in SMS_TO is one recipient", () => {
  expect(openSms({ to: [OWNER, "12", OWNER] }).recipients).toEqual([OWNER, "12"]);
});

const fetchStatus = async () => {
  const { providerId = "" } = await send();
  return openSms().statusChecks?.fetchStatus(providerId, neverAborted());
};
const rejected = (about: string, advice: string) => ({
  outcome: "rejected",
  providerId: expect.any(String),
  fault: { about, advice: expect.stringMatching(`${advice}.*주세요\\. \\(오류 .+\\)$`) },
});

test.each([
  ["delivered", undefined, { outcome: "delivered" }],
  ["read", undefined, { outcome: "delivered" }],
  ["sent", undefined, { outcome: "accepted", hasLeftProvider: true }],
  ["queued", undefined, { outcome: "accepted", hasLeftProvider: false }],
  ["a status of next year", undefined, { outcome: "accepted", hasLeftProvider: false }],
  ["failed", 30002, rejected("channel", "잔액")],
  ["undelivered", 30003, rejected("recipient", "꺼져")],
  ["failed", 30009, rejected("channel", "이유는 알 수 없습니다")],
  ["canceled", undefined, rejected("channel", "이유는 알 수 없습니다")],
])("the Twilio status $0 (code $1) gives the answer $2 [16]", async (status, code, expected) => {
  peer.messagesBecome = { status, ...(code ? { code } : {}) };
  const result = await fetchStatus();
  expect(result).toMatchObject(expected);
  if (code) expect(result?.fault?.error).toContain(`${code}`);
});

test.each<TwilioMisbehaviour>([
  { resets: true },
  { status: 500 },
  { status: 401, code: 20003 },
  { status: 403 },
  { status: 307, headers: { location: "/elsewhere" } },
  { status: 200, text: "<html>" },
  { status: 200, text: '{"messages":null}' },
])("a status check or search that fails gives an unknown outcome: %j", async (fault) => {
  peer.misbehaviourOnGet = fault;
  expect(await fetchStatus()).toMatchObject({ outcome: "unknown", fault: { about: "channel" } });
  expect(await search()).toMatchObject({ outcome: "unknown", fault: { about: "channel" } });
});

test("the advice about an undelivered text quotes Twilio without the visitor's words", async () => {
  const words = "Content 홍길동 to +821099990000 not supported by 010-1234-5678";
  peer.messagesBecome = { status: "failed", code: 30011, words };
  const { fault } = (await fetchStatus()) ?? {};
  expect(fault?.advice).toMatch(/ \(오류 30011: Content … to … not supported by …\)$/);
});

const second = {
  ...aStoredApplication(),
  applicationId: "8ABCDEFG",
  earlierToday: { applicationId: "7K3MPQ9X", count: 2 },
};
const found = { outcome: "delivered" };
const absent = { outcome: "absent" };
test.each<[string, Partial<MessageContent>, Partial<MessageSearch>, object]>([
  ["finds a text by its number", {}, {}, found],
  ["finds none by another number", {}, { applicationId: "7K3MPQ9Y" }, absent],
  ["finds none for another recipient", {}, { recipient: "+821099990001" }, absent],
  ["finds no text whose id is known", {}, { exceptIds: ["SM1"] }, absent],
  ["finds no second application by the number of the first", { application: second }, {}, absent],
  ["finds a second application", { application: second }, { applicationId: "8ABCDEFG" }, found],
])("the search for a text %s", async (_what, changes, query, result) => {
  await send({}, { ...message, ...changes } as MessageContent);
  const exceptIds = query.exceptIds && [peer.messages[0]?.sid ?? ""];
  expect(await search({ ...query, ...(exceptIds && { exceptIds }) })).toMatchObject(result);
});

test("the search for a text reads Twilio's list back to the time of the attempt [64]", async () => {
  await send();
  for (let other = 0; other < 4; other++) await send({}, { kind: "test", text: "시험" });
  peer.mostPerPage = 2;
  expect(await search()).toMatchObject({ outcome: "delivered" });
  expect(peer.listRequests).toBe(3);
  expect(await search({ begunAt: Date.now() + 3_600_000 })).toEqual(absent);
  expect(peer.listRequests).toBe(4);
});

test("the search for a text ends after 50 pages of Twilio's list", async () => {
  peer.isEndless = true;
  expect(await search()).toMatchObject({ outcome: "unknown" });
  expect(peer.listRequests).toBe(50);
});

test("a search that meets a text without a body has an unknown outcome", async () => {
  await send();
  peer.redacts = true;
  const advice = expect.stringMatching(/보관하지 않아.*주세요\.$/);
  expect(await search()).toMatchObject({ outcome: "unknown", fault: { advice } });
  expect(await search({ exceptIds: [peer.messages[0]?.sid ?? ""] })).toEqual(absent);
});

const longAgo = "Mon, 02 Nov 2020 00:00:00 +0000";
const entry = { sid: "SM1", status: "delivered", date_created: null, price: null, from: null };
test.each<[string, unknown, object, object]>([
  ["a body of null", { ...entry, body: null }, found, { outcome: "unknown" }],
  ["an old body of null", { ...entry, body: null, date_created: longAgo }, found, absent],
  ["no SID", { sid: null, status: "queued", body: "운전연수" }, found, absent],
  ["our number and no SID", { sid: null, body: "7K3M-PQ9Y" }, found, { outcome: "unknown" }],
  ["an error code that is a text", { sid: "SM2", body: "x", error_code: "30003" }, found, absent],
  ["nothing in it", null, { outcome: "unknown" }, { outcome: "unknown" }],
])("an entry of Twilio's list with %s breaks no search [50]", async (_what, odd, ours, another) => {
  await send();
  peer.foreignEntries = [odd];
  expect(await search()).toMatchObject(ours);
  expect(await search({ applicationId: "7K3MPQ9Y" })).toMatchObject(another);
});

test("a rejection by Twilio is explained by its code, and quoted", async () => {
  peer.next({ status: 400, code: 21211 });
  const { outcome, providerId, fault } = await send();
  expect([outcome, providerId, fault?.about]).toEqual(["rejected", undefined, "recipient"]);
  expect(fault?.error).toContain("HTTP 400, code 21211: refused:");
  expect(fault?.advice).toMatch(/받는 번호.*주세요\. \(오류 21211: refused: … .*\)$/);
});

test("the error of a rejection does not quote the visitor", async () => {
  peer.next({ status: 400, code: 21211 });
  const application = aStoredApplication({ name: "Kim 홍길동", message: "secret words" });
  const result = JSON.stringify(await send({}, { kind: "application", application }));
  expect(result).not.toMatch(/홍길동|Kim|secret|1234|9999/);
});

const date = "Tue, 01 Dec 2026 00:40:00 GMT";
test.each<[reply: TwilioMisbehaviour, notBefore?: number | undefined, advice?: string]>([
  [{ status: 429, code: 20429, headers: { "retry-after": "120" } }, NOW + 120_000],
  [{ status: 429, headers: { "retry-after": date } }, Date.parse(date)],
  [{ status: 429 }],
  [{ status: 429, code: 63038 }, undefined, "한도"],
  [{ status: 429, headers: { "retry-after": "9".repeat(30) } }],
  [{ status: 400, code: 21611 }],
  [{ status: 407 }],
])("a temporary refusal counts as not-sent: %j [13]", async (reply, notBefore, advice = "") => {
  peer.next(reply);
  const fault = { about: "channel", advice: expect.stringContaining(advice) };
  expect(await send()).toMatchObject({ outcome: "not-sent", notBefore, fault });
});

test.each<[string, TwilioMisbehaviour]>([
  ["a 500", { status: 500 }],
  ["a 408", { status: 408 }],
  ["a 503 that stored the message", { status: 503, stores: true }],
  ["a reset connection", { resets: true }],
  ["a 201 that is not JSON", { text: "<html>" }],
  ["a 201 without a SID", { text: "{}" }],
  ["a 201 of null", { text: "null" }],
  ["a 201 of 40 MB", { text: `${" ".repeat(40_000_000)}{"sid":"SM1"}` }],
])("%s from Twilio gives an unknown outcome [14]", async (_name, misbehaviour) => {
  peer.next(misbehaviour);
  expect(await send()).toMatchObject({
    outcome: "unknown",
    fault: { about: "channel", error: expect.stringContaining("may have been sent") },
  });
});

test("a request that is aborted while Twilio hangs has an unknown outcome", async () => {
  peer.next({ hangs: true });
  const stop = new AbortController();
  const answer = openSms().transmit(message, OWNER, { signal: stop.signal });
  await expect.poll(() => peer.requests).toBe(1);
  stop.abort();
  const fault = { advice: expect.stringContaining("(ERR_CANCELED)") };
  expect(await answer).toMatchObject({ outcome: "unknown", fault });
});

test("a request whose connection or TLS handshake fails has the outcome not-sent [22]", async () => {
  const fault = {
    error: expect.stringContaining("has not left"),
    advice: expect.stringMatching(/응답하지 않습니다\((ECONNREFUSED|EPROTO|ERR_SSL_\w+)\)/),
  };
  for (const url of ["http://127.0.0.1:1", apiUrl.replace("http", "https")])
    expect(await send({ apiUrl: url })).toMatchObject({ outcome: "not-sent", fault });
});

test("the Twilio login is not sent to the target of a redirect", async () => {
  const other = new TwilioPeer();
  const location = `${await other.start()}/2010-04-01/Accounts/x/Messages.json`;
  peer.next({ status: 307, headers: { location } });
  const fault = { advice: expect.stringMatching(/다른 주소로.*주세요\. \(오류 307.*\)$/) };
  expect(await send()).toMatchObject({ outcome: "rejected", fault });
  expect(other.requests).toBe(0);
  await other.stop();
});

test("TWILIO_LOG_LEVEL=debug does not print a text message", async () => {
  vi.stubEnv("TWILIO_LOG_LEVEL", "debug");
  const print = vi.spyOn(console, "log");
  await send();
  expect(print).not.toHaveBeenCalled();
});

test("a text is counted in the segments into which Twilio cuts it", () => {
  const segments = (length: number) =>
    openSms().segments({ kind: "test", text: "가".repeat(length) });
  const lengths = [1, 70, 71, 134, 135, 201, 202, 268, 500];
  expect(lengths.map(segments).join()).toBe("1,1,2,2,3,3,4,4,4");
});
