/** How long a mail server is waited for, at each step of RFC 5321 section 4.5.3.2. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { MailConnections } from "#lib/channels/mail/connections.ts";
import { converse, SMTP_LIMITS, type SmtpLimits } from "#lib/channels/mail/conversation.ts";
import { openMailChannel, transportOptions } from "#lib/channels/mail/smtp.ts";
import { SmtpPeer } from "#testing/peers/smtp-peer.ts";

const OWNER = "owner@practice.example";
const MINUTE = 60_000;
/** More than the sockets of both ends hold. */
const LARGE = Buffer.from(`${"x".repeat(998)}\r\n`.repeat(32_000));

let peer: SmtpPeer;
beforeEach(async () => {
  peer = new SmtpPeer();
  await peer.start();
});
afterEach(() => peer.stop());

/** One mail with a short limit at one step; all others are RFC 5321's. */
async function carry(content: Buffer, short: Partial<SmtpLimits>) {
  const connections = new MailConnections(transportOptions(peer.url));
  const end = await converse(
    connections,
    { from: "site@practice.example", to: [OWNER], content },
    {
      mayLeave: async () => true,
      signal: new AbortController().signal,
      limits: { ...SMTP_LIMITS, ...short },
    },
  );
  await connections.close();
  return end;
}

test("a try lasts as long as a server may take that answers each step just in time", () => {
  const config = { smtpUrl: peer.url, from: "site@practice.example", to: [OWNER] };
  const minutes = { greeting: 5, sender: 5, recipient: 5, data: 2, block: 3, finalDot: 10 };
  const sum = Object.values(minutes).reduce((total, each) => total + each);
  expect(openMailChannel(config).tryLimitMs).toBeGreaterThanOrEqual(sum * MINUTE);
});

test("a server that says nothing at DATA is left after its limit, and nothing has gone out", async () => {
  peer.next({ slow: { data: new Promise(() => undefined) } });
  expect(await carry(Buffer.from("x\r\n"), { data: 100 })).toMatchObject({
    ended: "failed",
    fault: { stage: "data", code: "ETIMEDOUT", left: false },
  });
  expect(peer.mails).toEqual([]);
}, 5_000);

test("a server that thinks at DATA for less than its limit has its mail taken once", async () => {
  peer.next({ slow: { data: new Promise((resolve) => setTimeout(resolve, 300)) } });
  expect(await carry(Buffer.from("x\r\n"), { data: 3_000 })).toMatchObject({ ended: "taken" });
  expect(peer.mails).toHaveLength(1);
}, 5_000);

test("a server that reads no more is left after the limit of a block, and nothing has gone out", async () => {
  peer.next({ stopsReading: true });
  expect(await carry(LARGE, { block: 100 })).toMatchObject({
    ended: "failed",
    fault: { stage: "message", code: "ETIMEDOUT", left: false },
  });
  expect(peer.mails).toEqual([]);
}, 5_000);
