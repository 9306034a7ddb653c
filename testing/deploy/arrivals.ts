/** Compares the messages on the owner's phone with the confirmed and the stored applications. */
import { setTimeout as pause } from "node:timers/promises";
import { extractApplicationIds } from "#testing/chaos/application-numbers.ts";
import { expectThat, runListCommand } from "#testing/deploy/machine.ts";
import type { Visitors } from "#testing/deploy/visitors.ts";
import type { TwilioPeer } from "#testing/peers/twilio-peer.ts";

const DELIVERY_LIMIT_MS = 600_000;

export function countMessages(twilio: TwilioPeer): Map<string, number> {
  const counts = new Map<string, number>();
  // The last number in a text is that of its application. An earlier line may name another application.
  for (const { body } of twilio.messages)
    for (const number of extractApplicationIds(body).slice(-1))
      counts.set(number, (counts.get(number) ?? 0) + 1);
  return counts;
}

/** Waits up to ten minutes, and returns the applications that are still without a message. */
export async function findUndelivered(
  twilio: TwilioPeer,
  numbers: readonly string[],
): Promise<string[]> {
  const deadline = Date.now() + DELIVERY_LIMIT_MS;
  for (;;) {
    const open = numbers.filter((number) => !countMessages(twilio).has(number));
    if (open.length === 0 || Date.now() > deadline) return open;
    await pause(250);
  }
}

/** Checks that every confirmed application is stored and arrived once. */
export async function expectNothingLost(
  twilio: TwilioPeer,
  { acknowledged }: Visitors,
): Promise<void> {
  const stored = new Set(extractApplicationIds(runListCommand()));
  const lost = [...acknowledged.keys()].filter((number) => !stored.has(number));
  expectThat(`${acknowledged.size} acknowledged, ${lost.length} not stored`, lost.length === 0);
  const open = await findUndelivered(twilio, [...acknowledged.keys()]);
  const twice = [...countMessages(twilio)]
    .filter(([, count]) => count > 1)
    .map(([number]) => number);
  const neither = open.length + twice.length === 0;
  expectThat(`${open.length} did not arrive, ${twice.length} came twice ${twice}`, neither);
}
