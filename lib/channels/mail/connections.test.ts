import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { SMTP_LIMITS, type SmtpLimits } from "#lib/channels/mail/conversation.ts";
import { openMailChannel } from "#lib/channels/mail/smtp.ts";
import { SmtpPeer, type SmtpPeerOptions } from "#testing/peers/smtp-peer.ts";

const OWNER = "owner@practice.example";
const NEVER = new Promise(() => undefined);
const opened: { close(): Promise<void> }[] = [];
let peer: SmtpPeer;

async function peerWith(options: SmtpPeerOptions): Promise<void> {
  await peer.stop();
  peer = new SmtpPeer(options);
  await peer.start();
}

beforeEach(async () => {
  peer = new SmtpPeer();
  await peer.start();
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(opened.splice(0).map((channel) => channel.close()));
  await peer.stop();
});

function openChannel(limits: Partial<SmtpLimits> = {}) {
  const config = { smtpUrl: peer.url, from: "site@practice.example", to: [OWNER] };
  const channel = openMailChannel(config, { ...SMTP_LIMITS, ...limits });
  opened.push(channel);
  const send = async (terms: { signal?: AbortSignal; mayLeave?: () => Promise<boolean> } = {}) => {
    const { signal = new AbortController().signal, ...more } = terms;
    const message = { kind: "test", text: "시험" } as const;
    const [outcome] = await channel.send(message, [OWNER], { signal, ...more });
    return outcome;
  };
  return { send, close: channel.close };
}

test("mails one after the other share a connection and a login", async () => {
  await peerWith({ login: true });
  const { send } = openChannel();
  for (let mail = 0; mail < 5; mail++) {
    expect(await send()).toMatchObject({ outcome: "delivered" });
  }
  expect(peer.mails).toHaveLength(5);
  expect(peer.connections).toBe(1);
  expect(peer.logins).toHaveLength(1);
});

test("mails side by side have connections of their own, and four of them are kept", async () => {
  const { send } = openChannel();
  await Promise.all(Array.from({ length: 6 }, () => send()));
  expect(peer.connections).toBe(6);
  await expect.poll(() => peer.open).toBe(4);
  await Promise.all(Array.from({ length: 4 }, () => send()));
  expect(peer.connections).toBe(6);
  expect(peer.mails).toHaveLength(10);
});

test("a connection carries 50 mails, then a new one is opened", async () => {
  const { send } = openChannel();
  for (let mail = 0; mail < 51; mail++) await send();
  expect(peer.mails).toHaveLength(51);
  expect(peer.connections).toBe(2);
  await expect.poll(() => peer.open).toBe(1);
});

test("an idle connection is closed after 30 s, with a goodbye", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  const { send } = openChannel();
  await send();
  await vi.advanceTimersByTimeAsync(20_000);
  await send();
  expect(peer.connections).toBe(1);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(peer.open).toBe(1);
  await vi.advanceTimersByTimeAsync(10_000);
  await expect.poll(() => peer.open).toBe(0);
  expect(peer.farewells).toBe(1);
});

describe("a kept connection that is dead costs no mail and makes no copy", () => {
  test.each(["silently", "with 421", "reset"] as const)("closed %s while idle", async (how) => {
    const { send } = openChannel();
    await send();
    peer.hangUp(how);
    await expect.poll(() => peer.open).toBe(0);
    expect(await send()).toMatchObject({ outcome: "delivered" });
    expect(peer.mails).toHaveLength(2);
    expect(peer.connections).toBe(2);
  });

  test.each([
    ["is reset at MAIL", { dropsAtSender: true }],
    ["says 421 at MAIL", { sender: 421 }],
    ["refuses MAIL for now", { sender: 451 }],
    ["says nothing at RCPT", { slow: { recipient: NEVER } }],
    ["says 421 at RCPT", { recipients: { [OWNER]: 421 } }],
  ])("that %s", async (_what, misbehaviour) => {
    const { send } = openChannel({ command: 1_000 });
    await send();
    peer.next(misbehaviour);
    let asked = 0;
    const mayLeave = async () => {
      asked += 1;
      return true;
    };
    expect(await send({ mayLeave })).toMatchObject({ outcome: "delivered" });
    expect(asked).toBe(1);
    expect(peer.mails).toHaveLength(2);
    expect(peer.connections).toBe(2);
  });

  test("that says nothing is waited for as long as a new one is, not for five minutes", async () => {
    const { send } = openChannel({ opening: 1_000 });
    await send();
    peer.next({ slow: { sender: NEVER } });
    expect(await send()).toMatchObject({ outcome: "delivered" });
  });

  test("of a server that takes one mail on each", async () => {
    await peerWith({ mailsPerConnection: 1 });
    const { send } = openChannel();
    for (let mail = 0; mail < 3; mail++) {
      expect(await send()).toMatchObject({ outcome: "delivered" });
    }
    expect(peer.mails).toHaveLength(3);
    expect(peer.connections).toBe(3);
  });

  test("of a server that is gone: the advice is about the connection", async () => {
    const { send } = openChannel();
    await send();
    await peer.stop();
    expect(await send()).toMatchObject({
      outcome: "retry",
      error: expect.stringContaining("ECONNREFUSED at connect"),
    });
    await peer.start();
  });
});

describe("after DATA a kept connection gets no second chance", () => {
  test.each([
    ["is dropped", { dropsAfterData: true }, "unknown"],
    ["says 421", { data: 421 }, "retry"],
    ["refuses the content", { data: 554 }, "refused"],
  ])("that %s", async (_what, misbehaviour, outcome) => {
    const { send } = openChannel();
    await send();
    peer.next(misbehaviour);
    expect(await send()).toMatchObject({ outcome });
    expect(peer.connections).toBe(1);
    // What failed is not kept.
    await expect.poll(() => peer.open).toBe(0);
    expect(await send()).toMatchObject({ outcome: "delivered" });
  });

  test("that is held back, or cut off: it is not kept either", async () => {
    const { send } = openChannel();
    await send();
    expect(await send({ mayLeave: async () => false })).toEqual({ outcome: "held" });
    await expect.poll(() => peer.open).toBe(0);
    await send();
    peer.next({ slow: { sender: NEVER } });
    const cut = new AbortController();
    const sent = send({ signal: cut.signal });
    await expect.poll(() => peer.attempts).toBe(4);
    cut.abort();
    expect(await sent).toMatchObject({
      outcome: "retry",
      error: expect.stringContaining("at sender"),
    });
    expect(peer.connections).toBe(2);
  });
});

test("a refused recipient is the recipient's fault: nothing is tried anew", async () => {
  const { send } = openChannel();
  await send();
  peer.next({ recipients: { [OWNER]: 550 } });
  expect(await send()).toMatchObject({ outcome: "refused", dead: "recipient" });
  expect(peer.connections).toBe(1);
});

test("closing says goodbye to the server, and nothing is kept afterwards", async () => {
  const { send, close } = openChannel();
  peer.next({}, { slow: { finalDot: 200 } });
  await send();
  const [late] = [send(), await send()];
  await close();
  expect(await late).toMatchObject({ outcome: "delivered" });
  await expect.poll(() => peer.open).toBe(0);
  expect(peer.farewells).toBe(2);
});

test("closing does not wait for a server that says nothing to QUIT", async () => {
  const { send, close } = openChannel();
  await send();
  peer.deafen();
  const startedAt = performance.now();
  await close();
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
