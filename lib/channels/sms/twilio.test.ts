import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { SendOutcome, TextableMessage } from "#lib/channels/channel.ts";
import { TWILIO_CODES } from "#lib/channels/sms/error-codes.ts";
import { smsText } from "#lib/channels/sms/text.ts";
import { openSmsChannel } from "#lib/channels/sms/twilio.ts";
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

function channel(changes: { to?: string[]; authToken?: string } = {}) {
  return openSmsChannel(
    { ...TWILIO_ACCOUNT, sender: { from: FROM }, to: [OWNER], apiUrl, ...changes },
    () => NOW,
  );
}
const message: TextableMessage = { kind: "application", application: aStoredApplication() };
const never = () => new AbortController().signal;
function sendAll(changes?: Parameters<typeof channel>[0]) {
  const sms = channel(changes);
  return sms.send(message, sms.recipients, { signal: never() });
}
async function send(changes?: Parameters<typeof channel>[0]): Promise<SendOutcome> {
  const [outcome] = await sendAll(changes);
  if (outcome === undefined) throw new Error("no outcome");
  return outcome;
}

test("the owner's phone gets the text once, and the outcome carries Twilio's SID", async () => {
  const outcome = await send();
  expect(peer.messages).toMatchObject([
    { to: OWNER, from: FROM, body: smsText(aStoredApplication()), validityPeriod: 900 },
  ]);
  expect(outcome).toEqual({
    outcome: "accepted",
    providerId: peer.messages[0]?.sid,
    passedOn: false,
  });
});

test("each of the owner's numbers gets the text, and has an outcome of its own", async () => {
  const outcomes = await sendAll({ to: [OWNER, "12", "+821099990001"] });
  expect(peer.messages.map(({ to }) => to).toSorted()).toEqual([OWNER, "+821099990001"]);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(["accepted", "refused", "accepted"]);
});

test("a message that stands in for a mail says so", async () => {
  const sms = channel();
  await sms.send({ ...message, insteadOf: "mail" }, sms.recipients, { signal: never() });
  expect(peer.messages[0]?.body).toMatch(/^운전연수 신청\n홍길동\n(.+\n)+\(메일 대신\) 7K3M-PQ9X$/);
});

describe("a message that was taken", () => {
  const follow = async () => {
    const sent = await send();
    if (sent.outcome !== "accepted") throw new Error("not taken");
    return channel().tracking?.follow(sent.providerId, never());
  };

  test.each([
    ["delivered", { outcome: "delivered" }],
    ["sent", { outcome: "accepted", passedOn: true }],
    ["queued", { outcome: "accepted", passedOn: false }],
    ["undelivered", { outcome: "refused", dead: "recipient", providerId: expect.any(String) }],
    ["failed", { outcome: "refused", dead: "recipient", providerId: expect.any(String) }],
    ["canceled", { outcome: "refused", dead: "recipient", providerId: expect.any(String) }],
  ])("and is %s", async (status, expected) => {
    peer.becomes = { status, code: 30003 };
    expect(await follow()).toMatchObject(expected);
  });

  test("and cannot be asked about is not judged", async () => {
    peer.asked = { resets: true };
    expect(await follow()).toMatchObject({ outcome: "unknown" });
  });

  test("is found by its number, by its recipient, and not for another", async () => {
    await send();
    const find = (changes: object = {}) =>
      channel().tracking?.find(
        { applicationId: "7K3MPQ9X", recipient: OWNER, exceptId: undefined, ...changes },
        never(),
      );
    expect(await find()).toMatchObject({ outcome: "delivered", providerId: peer.messages[0]?.sid });
    expect(await find({ applicationId: "7K3MPQ9Y" })).toEqual({ outcome: "absent" });
    expect(await find({ recipient: "+821099990001" })).toEqual({ outcome: "absent" });
    expect(await find({ exceptId: peer.messages[0]?.sid })).toEqual({ outcome: "absent" });
    peer.asked = { status: 500 };
    expect(await find()).toMatchObject({ outcome: "unknown" });
  });
});

test.each<[string, unknown]>([
  ["a body of null", { sid: "SM1", status: "delivered", body: null, price: null, from: null }],
  ["no SID", { sid: null, status: "queued", body: "운전연수" }],
  ["an error code that is a text", { sid: "SM2", body: "x", error_code: "30003" }],
  ["nothing in it", null],
])(
  "an entry of Twilio's list with %s is skipped, and the message behind it is found",
  async (_what, odd) => {
    await send();
    peer.odd = [odd];
    const sought = { applicationId: "7K3MPQ9X", recipient: OWNER, exceptId: undefined };
    expect(await channel().tracking?.find(sought, never())).toMatchObject({ outcome: "delivered" });
    expect(
      await channel().tracking?.find({ ...sought, applicationId: "7K3MPQ9Y" }, never()),
    ).toEqual({ outcome: "absent" });
  },
);

describe("a refusal", () => {
  test.each(Object.keys(TWILIO_CODES).map(Number))(
    "with code %i is refused, named by its code, and tells the owner what to do",
    async (code) => {
      peer.next({ status: 400, code });
      const outcome = await send();
      expect(outcome).toMatchObject({
        outcome: "refused",
        dead: TWILIO_CODES[code]?.dead,
        error: expect.stringContaining(`${code}`),
        advice: expect.stringMatching(/[가-힣].*주세요\.$/),
      });
    },
  );

  test("with a code that nobody knows is refused all the same", async () => {
    peer.next({ status: 400, code: 29999 });
    expect(await send()).toMatchObject({
      outcome: "refused",
      error: expect.stringContaining("29999"),
    });
  });

  test("of the login is refused, and says that it is the login", async () => {
    const outcome = await send({ authToken: "wrong" });
    expect(outcome).toMatchObject({
      outcome: "refused",
      dead: "channel",
      error: "Twilio refuses: the account SID or the auth token is wrong (HTTP 401, code 20003)",
    });
  });
});

describe("too many messages", () => {
  test("are tried again after the seconds that Twilio names", async () => {
    peer.next({ status: 429, code: 20429, headers: { "retry-after": "120" } });
    expect(await send()).toMatchObject({ outcome: "retry", notBefore: NOW + 120_000 });
  });

  test("are tried again after the date that Twilio names", async () => {
    const date = "Tue, 01 Dec 2026 00:40:00 GMT";
    peer.next({ status: 429, headers: { "retry-after": date } });
    expect(await send()).toMatchObject({ outcome: "retry", notBefore: Date.parse(date) });
  });

  test("without a time named are tried again by our own rule", async () => {
    peer.next({ status: 429 });
    const outcome = await send();
    expect(outcome.outcome).toBe("retry");
    expect(outcome).not.toHaveProperty("notBefore");
  });
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
    error: expect.stringContaining("may have been sent"),
  });
});

test("a server that is not there leaves it open too", async () => {
  const nobody = openSmsChannel({
    ...TWILIO_ACCOUNT,
    sender: { from: FROM },
    to: [OWNER],
    apiUrl: "http://127.0.0.1:1",
  });
  expect(await nobody.send(message, nobody.recipients, { signal: never() })).toMatchObject([
    { outcome: "unknown" },
  ]);
});

test("a Twilio that hangs is given up when the signal aborts", async () => {
  peer.next({ hangs: true });
  const stop = new AbortController();
  const outcome = channel().send(message, [OWNER], { signal: stop.signal });
  await expect.poll(() => peer.requests).toBeGreaterThan(0);
  stop.abort();
  expect(await outcome).toMatchObject([{ outcome: "unknown" }]);
});

test("a redirect is not followed with our login", async () => {
  const other = new TwilioPeer();
  const location = `${await other.start()}/2010-04-01/Accounts/x/Messages.json`;
  peer.next({ status: 307, headers: { location } });
  expect((await send()).outcome).toBe("refused");
  expect(other.requests).toBe(0);
  await other.stop();
});

test("no outcome repeats what the visitor wrote, even when Twilio's answer does", async () => {
  peer.next({ status: 400, code: 21211 });
  const outcome = JSON.stringify(await send());
  expect(outcome).not.toContain("홍길동");
  expect(outcome).not.toContain("1234");
});
