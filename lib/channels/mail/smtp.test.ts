import { describe, expect, test } from "vitest";
import { SMTP_LIMITS, type SmtpLimits } from "#lib/channels/mail/conversation.ts";
import { openMailChannel } from "#lib/channels/mail/smtp.ts";
import { aStoredApplication } from "#testing/fixtures/stored-application.ts";
import { OWNER, peer, peerWith, SECOND, send, sendAll } from "#testing/mail-to-peer.ts";

test("the owner gets the mail, in text and HTML, once", async () => {
  const outcome = await send();
  expect(peer.mails).toHaveLength(1);
  const [mail] = peer.mails;
  expect(mail?.envelopeTo).toEqual([OWNER]);
  expect(mail?.parsed.subject).toBe("[7K3M-PQ9X] 이천 김샾😀 운전연수 신청");
  expect(mail?.parsed.text).toContain("전화번호: 010-1234-5678");
  expect(mail?.parsed.html).toContain("tel:+821012345678");
  expect(mail?.parsed.replyTo).toBeUndefined();
  expect(outcome).toEqual({ outcome: "delivered", providerId: mail?.parsed.messageId });
});

test("a repeat after a connection that broke has the same Message-ID", async () => {
  peer.next({ dropsAfterData: true });
  expect(await send()).toMatchObject({ outcome: "unknown" });
  expect(await send()).toMatchObject({ outcome: "delivered" });
  const [first, second] = peer.mails;
  expect(first?.parsed.messageId).toBe("<7K3MPQ9X.mail@practice.example>");
  expect(second?.parsed.messageId).toBe(first?.parsed.messageId);
});

describe("the server's refusals", () => {
  test.each([
    ["greylisting", { recipients: { [OWNER]: 451 } }, "retry"],
    ["a full system", { data: 452 }, "retry"],
    ["an unknown recipient", { recipients: { [OWNER]: 550 } }, "refused"],
    ["a sender that may not send", { sender: 553 }, "refused"],
    ["a message that is not wanted", { data: 554 }, "refused"],
  ] as const)("%s: %o", async (_name, misbehaviour, outcome) => {
    peer.next(misbehaviour);
    expect(await send()).toMatchObject({ outcome });
    expect(peer.mails).toHaveLength(0);
  });

  test("greylisted once, it is taken the second time", async () => {
    peer.next({ recipients: { [OWNER]: 451 } });
    await send();
    expect(await send()).toMatchObject({ outcome: "delivered" });
    expect(peer.mails).toHaveLength(1);
  });

  test("of one of two addresses are that address's, and the other has its mail", async () => {
    peer.next({ recipients: { [SECOND]: 550 } }, { recipients: { [SECOND]: 451 } });
    expect(await sendAll(peer.url, [OWNER, SECOND])).toMatchObject([
      { outcome: "delivered" },
      { outcome: "refused", dead: "recipient" },
    ]);
    expect(peer.mails[0]?.envelopeTo).toEqual([OWNER]);
    expect(await sendAll(peer.url, [OWNER, SECOND])).toMatchObject([
      { outcome: "delivered" },
      { outcome: "retry" },
    ]);
  });

  test("of both, one for now and one for good, are told apart", async () => {
    peer.next({ recipients: { [OWNER]: 451, [SECOND]: 550 } });
    expect(await sendAll(peer.url, [OWNER, SECOND])).toMatchObject([
      { outcome: "retry" },
      { outcome: "refused", dead: "recipient" },
    ]);
  });

  test("name codes, not people", async () => {
    peer.next({ recipients: { [OWNER]: 550 } });
    expect(JSON.stringify(await send())).not.toMatch(/owner|김/);
  });
});

describe("the advice names the step that failed", () => {
  test.each([
    ["at MAIL", { sender: 550 }, "refused", "보내는 주소를 거부"],
    ["at RCPT", { recipients: { [OWNER]: 550 } }, "refused", "받는 주소를 거부"],
    ["over its size", { data: 552 }, "refused", "크기보다 큽니다"],
    ["for its content", { data: 554 }, "refused", "메일 내용을 거부"],
    ["after the message", { dropsAfterData: true }, "unknown", "메일을 넘긴 뒤"],
  ] as const)("refused %s", async (_step, misbehaviour, outcome, advice) => {
    peer.next(misbehaviour);
    const ended = await send();
    expect(ended).toMatchObject({ outcome, advice: expect.stringContaining(advice) });
    // Setting names mean nothing to the owner.
    expect(ended && "advice" in ended && ended.advice).not.toMatch(/[A-Z]+_[A-Z]+/);
  });
});

describe("a slow server", () => {
  /** Each limit by itself, in the proportions of a test. */
  const limits = (changes: Partial<SmtpLimits>) => ({ ...SMTP_LIMITS, ...changes });
  const sendWithin = async (changes: Partial<SmtpLimits>) => {
    const config = { smtpUrl: peer.url, from: "site@practice.example", to: [OWNER] };
    const message = { kind: "application", application: aStoredApplication({}, "mail") } as const;
    const { signal } = new AbortController();
    const channel = openMailChannel(config, limits(changes));
    const [outcome] = await channel.send(message, [OWNER], { signal });
    return outcome;
  };

  test("is waited for as long as RFC 5321 asks for", () => {
    const minute = 60_000;
    expect(SMTP_LIMITS).toMatchObject({
      command: 5 * minute,
      data: 2 * minute,
      block: 3 * minute,
      finalDot: 10 * minute,
    });
  });

  test.each([
    ["MAIL", { sender: 300 }],
    ["RCPT", { recipient: 300 }],
    ["the final dot", { finalDot: 300 }],
  ])("at %s has its mail taken once", async (_step, slow) => {
    peer.always({ slow });
    // Shorter than all the other limits together would need.
    expect(await sendWithin({ command: 2_000, finalDot: 2_000 })).toMatchObject({
      outcome: "delivered",
    });
    expect(peer.mails).toHaveLength(1);
  });

  test.each([
    ["MAIL", { sender: new Promise(() => undefined) }, "retry", "보내는 주소에 답하지"],
    ["RCPT", { recipient: new Promise(() => undefined) }, "retry", "받는 주소에 답하지"],
    ["the final dot", { finalDot: new Promise(() => undefined) }, "unknown", "메일을 넘긴 뒤"],
  ])("that says nothing at %s is left after its limit", async (_step, slow, outcome, advice) => {
    peer.next({ slow });
    expect(await sendWithin({ command: 100, finalDot: 100 })).toMatchObject({
      outcome,
      advice: expect.stringContaining(advice),
    });
  });

  test("that never greets is left after 10 s, and nothing has gone out", async () => {
    expect(SMTP_LIMITS.opening).toBe(10_000);
    const silent = await peerWith({ silent: true });
    const config = { smtpUrl: silent.url, from: "site@practice.example", to: [OWNER] };
    const message = { kind: "test", text: "시험" } as const;
    const channel = openMailChannel(config, limits({ opening: 100 }));
    const { signal } = new AbortController();
    expect(await channel.send(message, [OWNER], { signal })).toMatchObject([{ outcome: "retry" }]);
    await silent.stop();
  });
});

test("a mail is announced right before it leaves, and not for a server that does not want it", async () => {
  const config = { smtpUrl: peer.url, from: "site@practice.example", to: [OWNER] };
  const message = { kind: "application", application: aStoredApplication({}, "mail") } as const;
  const { signal } = new AbortController();
  let asked = 0;
  const mayLeave = async () => {
    expect(peer.mails).toHaveLength(0);
    asked += 1;
    return false;
  };
  peer.next({ recipients: { [OWNER]: 550 } });
  const channel = openMailChannel(config);
  expect(await channel.send(message, [OWNER], { signal, mayLeave })).toMatchObject([
    { outcome: "refused" },
  ]);
  expect(asked).toBe(0);
  expect(await channel.send(message, [OWNER], { signal, mayLeave })).toEqual([{ outcome: "held" }]);
  expect(asked).toBe(1);
  await expect.poll(() => peer.open).toBe(0);
  expect(peer.mails).toHaveLength(0);
});

test("a send that is aborted is no delivery", async () => {
  expect(await send(peer.url, [OWNER], AbortSignal.abort())).toMatchObject({ outcome: "retry" });
  expect(peer.mails).toHaveLength(0);
});
