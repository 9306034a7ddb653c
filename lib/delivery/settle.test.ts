import { expect, test } from "vitest";
import { MINUTE } from "#lib/application/durations.ts";
import { FAILOVER_AFTER_MS } from "#lib/delivery/retry.ts";
import { settle } from "#lib/delivery/settle.ts";
import type { MessageState } from "#lib/storage/outcomes.ts";
import type { Message } from "#lib/storage/tables.ts";
import { aMessage, MAILBOX, NOW, PHONE_B } from "#testing/delivery/messages.ts";

const STATES: MessageState[] = [
  ...(["waiting", "capped", "sending", "unsure"] as const),
  ...(["accepted", "delivered", "refused", "ended"] as const),
];
const toMail = { channel: "mail", recipient: MAILBOX } as const;
const toPhoneB = { recipient: PHONE_B };
const reserve = (state: MessageState, changes: Partial<Message> = {}) =>
  aMessage(state, { ...toMail, ...changes });

const FAILOVER_AFTER_MINUTES = FAILOVER_AFTER_MS / MINUTE;

/** `open, mail 15`: the notice is open, and the mail is due in 15 minutes. */
function describeSettlement(messages: Message[], failingSince?: number): string {
  const { state, changed } = settle({ preferredChannel: "sms" }, messages, {
    now: NOW,
    failingSince,
  });
  const { nextAt = NOW, state: end } = changed?.to ?? {};
  const changes = changed?.messages.map(({ channel }) =>
    end ? `end ${channel}` : `${channel} ${Math.round((nextAt - NOW) / MINUTE)}`,
  );
  return [state, ...(changes ?? [])].join(", ");
}

test("the state of a text decides when the mail in reserve goes out", () => {
  const rows = STATES.map(
    (state) => `${state}: ${describeSettlement([aMessage(state), reserve("waiting")])}`,
  );
  expect(rows).toEqual([
    "waiting: open",
    "capped: open, mail 0",
    "sending: open",
    `unsure: open, mail ${FAILOVER_AFTER_MINUTES + 1}`,
    "accepted: sent",
    "delivered: done, end mail",
    "refused: open, mail 0",
    "ended: open, mail 0",
  ]);
});

test("the notice of a refused text is done only once its mail is delivered", () => {
  const rows = STATES.map(
    (state) => `${state}: ${describeSettlement([aMessage("refused"), reserve(state)])}`,
  );
  expect(rows).toEqual([
    "waiting: open, mail 0",
    "capped: open",
    "sending: open",
    "unsure: open",
    "accepted: sent",
    "delivered: done, end sms",
    "refused: open",
    "ended: open",
  ]);
});

test("a notice to two phones is done only after the second text has arrived or failed", () => {
  const phones = (state: MessageState) => [aMessage("delivered"), aMessage(state, toPhoneB)];
  const rows = STATES.map(
    (state) =>
      `${state}: ${describeSettlement([...phones(state), reserve("waiting")])} | ${describeSettlement(phones(state))}`,
  );
  expect(rows).toEqual([
    "waiting: open | open",
    "capped: open, mail 0 | open",
    "sending: open | open",
    `unsure: open, mail ${FAILOVER_AFTER_MINUTES + 1} | open`,
    "accepted: sent | sent",
    "delivered: done, end mail | done",
    "refused: open, mail 0 | done, end sms",
    "ended: open, mail 0 | done",
  ]);
});

const failing = (minutes: number) => ({ tries: 1, failingSince: NOW - minutes * MINUTE });
const short = { isShortened: 1 };
test.each<[what: string, messages: Message[], end: string, failingSince?: number]>([
  ["has no recipient", [], "given-up"],
  [
    "fails for long",
    [aMessage("waiting", failing(FAILOVER_AFTER_MINUTES)), reserve("waiting")],
    "open, mail 0",
  ],
  [
    "fails for a minute",
    [aMessage("waiting", failing(1)), reserve("waiting")],
    `open, mail ${FAILOVER_AFTER_MINUTES - 1}`,
  ],
  [
    "fails on a channel that fails for others",
    [aMessage("waiting", failing(1)), reserve("waiting")],
    `open, mail ${FAILOVER_AFTER_MINUTES - 10}`,
    NOW - 10 * MINUTE,
  ],
  [
    "is in doubt",
    [aMessage("unsure", failing(1)), reserve("waiting")],
    `open, mail ${FAILOVER_AFTER_MINUTES}`,
  ],
  ["was tried in reserve", [aMessage("refused"), reserve("waiting", { tries: 2 })], "open"],
  ["was refused by all", [aMessage("ended"), reserve("ended")], "given-up"],
  ["was shortened", [aMessage("accepted", short), reserve("waiting")], "open, mail 0"],
  ["was shortened and mailed", [aMessage("delivered", short), reserve("delivered")], "done"],
  ["was shortened in vain", [aMessage("delivered", short), reserve("ended")], "done"],
  ["was shortened without mail", [aMessage("delivered", short)], "done"],
  ["lies in a file", [aMessage("delivered", { channel: "file" })], "filed"],
  ["prefers a channel that is not set", [reserve("refused")], "open"],
  [
    "prefers a channel that is not set, and reached one of two mailboxes",
    [reserve("delivered"), reserve("waiting", { recipient: "two@owner.kr" })],
    "open",
  ],
])("a notice that $0 is settled as: $2", (_what, messages, end, failingSince) => {
  expect(describeSettlement(messages, failingSince)).toBe(end);
});
