/** Messages that a person sends from the command line, past the engine. */
import { setTimeout as pause } from "node:timers/promises";
import { CommandFault } from "#cli/command-fault.ts";
import { say } from "#cli/say.ts";
import { formatPhone } from "#lib/application/phone.ts";
import type { MessageCarrier, OwnerMessage, SendEnd } from "#lib/channels/carrier.ts";
import { CARRIERS } from "#lib/channels/carriers.ts";
import { CARRIER_WORDS } from "#lib/channels/words.ts";
import type { Config } from "#lib/config.ts";
import type { Carrier } from "#lib/storage/tables.ts";

/** How long a message that was taken is followed, while a person waits. */
const FOLLOW_MS = 30_000;
const LOOK_EVERY_MS = 2_000;

/** Sends to all of the owner's numbers or addresses, and says how it ended; whether all have it. @throws CommandFault */
export async function sendNow(
  name: Carrier,
  message: OwnerMessage,
  config: Config,
): Promise<boolean> {
  const kind = CARRIERS[name];
  const carrier = kind.open(config);
  if (carrier === undefined) {
    throw new CommandFault(
      `${CARRIER_WORDS[name]} 설정이 없습니다. .env에 ${kind.settings} 설정을 넣어 주세요.`,
    );
  }
  const { recipients } = carrier;
  const ends = await carrier.send(message, recipients, {
    signal: AbortSignal.timeout(carrier.tryLimitMs),
  });
  const followed = await Promise.all(ends.map((end) => follow(end, carrier)));
  followed.forEach((end, index) => {
    const what = end.outcome === "delivered" ? kind.arrived : NOT_ARRIVED[end.outcome];
    const why = end.fault ? ` ${end.fault.advice} (${end.fault.error})` : "";
    say(`${formatPhone(recipients[index] ?? "")}: ${what}${why}`);
  });
  return followed.every((end) => end.fault === undefined);
}

const NOT_ARRIVED: Readonly<Record<Exclude<SendEnd["outcome"], "delivered">, string>> = {
  unsent: "지금은 보내지 못했습니다.",
  refused: "거부되었습니다.",
  unknown: "나갔는지 알 수 없습니다.",
  accepted: "보냈고, 아직 도착을 확인하고 있습니다.",
};

/** A question that was not answered tells nothing new. */
async function follow(taken: SendEnd, { tracking }: MessageCarrier): Promise<SendEnd> {
  let end = taken;
  const deadline = Date.now() + FOLLOW_MS;
  while (end.outcome === "accepted" && tracking && Date.now() < deadline) {
    await pause(LOOK_EVERY_MS);
    const signal = AbortSignal.timeout(FOLLOW_MS);
    const told = await tracking.follow(end.providerId ?? "", signal);
    if (told.outcome !== "unknown") end = told;
  }
  return end;
}
