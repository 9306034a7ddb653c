import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Misbehaviour, TWILIO_ACCOUNT, TwilioPeer } from "#e2e/peers/twilio-peer.ts";
import { sample } from "#lib/channels/sample.ts";
import { openSmsChannel } from "#lib/channels/sms.ts";
import { smsText } from "#lib/channels/sms-text.ts";

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
const send = (changes?: Parameters<typeof channel>[0]) =>
  channel(changes).send(sample(), new AbortController().signal);

test("the owner's phone gets the text once, and the outcome carries Twilio's SID", async () => {
  const outcome = await send();
  expect(peer.messages).toMatchObject([
    { to: OWNER, from: FROM, body: smsText(sample()), validityPeriod: 900 },
  ]);
  expect(outcome).toEqual({ outcome: "delivered", providerId: peer.messages[0]?.sid });
});

test("each of the owner's numbers gets the text", async () => {
  const outcome = await send({ to: [OWNER, "+821099990001"] });
  expect(peer.messages.map(({ to }) => to).toSorted()).toEqual([OWNER, "+821099990001"]);
  expect(outcome.outcome).toBe("delivered");
});

test("one number that takes it is a delivery, so that it is not texted again for the other's sake", async () => {
  const outcome = await send({ to: [OWNER, "12"] });
  expect(peer.messages).toHaveLength(1);
  expect(outcome).toEqual({ outcome: "delivered", providerId: peer.messages[0]?.sid });
});

test("no number taking it is no delivery", async () => {
  expect(await send({ to: ["12", "13"] })).toMatchObject({ outcome: "refused" });
});

describe("a refusal", () => {
  test.each([20403, 21211, 21408, 21606, 21608, 21610, 21612, 21614, 10001, 30002, 29999])(
    "with code %i is refused and named by its code",
    async (code) => {
      peer.next({ status: 400, code });
      const outcome = await send();
      expect(outcome).toMatchObject({
        outcome: "refused",
        error: expect.stringContaining(`${code}`),
      });
    },
  );

  test("of the login is refused, and says that it is the login", async () => {
    const outcome = await send({ authToken: "wrong" });
    expect(outcome).toEqual({
      outcome: "refused",
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
  ["a 503 that stored the message", { status: 503, stores: true }],
  ["a reset connection", { resets: true }],
  ["a 201 that is not JSON", { text: "<html>" }],
  ["a 201 without a SID", { text: "{}" }],
])("%s is tried again, as the message may be out or not", async (_name, misbehaviour) => {
  peer.next(misbehaviour);
  expect(await send()).toMatchObject({
    outcome: "retry",
    error: expect.stringContaining("may have been sent"),
  });
});

test("a server that is not there is tried again", async () => {
  const nobody = openSmsChannel({
    ...TWILIO_ACCOUNT,
    sender: { from: FROM },
    to: [OWNER],
    apiUrl: "http://127.0.0.1:1",
  });
  expect(await nobody.send(sample(), new AbortController().signal)).toMatchObject({
    outcome: "retry",
  });
});

test("a Twilio that hangs is given up when the signal aborts", async () => {
  peer.next({ hangs: true });
  const stop = new AbortController();
  const outcome = channel().send(sample(), stop.signal);
  await expect.poll(() => peer.requests).toBeGreaterThan(0);
  stop.abort();
  expect(await outcome).toMatchObject({ outcome: "retry" });
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
