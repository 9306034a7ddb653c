import { setTimeout as pause } from "node:timers/promises";
import { type Command, UsageFault } from "#cli/applications/command.ts";
import { CommandFault } from "#cli/command-fault.ts";
import { say } from "#cli/say.ts";
import { formatPhone } from "#lib/application/phone.ts";
import { seoulDateTime } from "#lib/application/seoul-time.ts";
import type { Channel } from "#lib/application/stored-application.ts";
import type { MessageChannel, SendOutcome } from "#lib/channels/channel.ts";
import { openChannels } from "#lib/channels/open.ts";
import type { Config } from "#lib/config.ts";

/** The provider's own time limits end a send before this. */
const SEND_LIMIT_MS = 60_000;
/** How long a message that was taken is followed, while the owner waits. */
const FOLLOW_MS = 30_000;
const LOOK_EVERY_MS = 2_000;

const SETTINGS: Readonly<Record<Channel, string>> = {
  sms: "문자가 설정되지 않았습니다. .env에 SMS_TO, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN과 TWILIO_FROM(또는 TWILIO_MESSAGING_SERVICE_SID)을 적어 주세요.",
  mail: "메일이 설정되지 않았습니다. .env에 SMTP_URL, MAIL_FROM, MAIL_TO를 적어 주세요.",
};

/** Sends one marked message through a channel as it is configured here. */
export const testSend: Command = {
  usage: "test-send sms|mail",
  does: "시험 문자나 메일을 한 통 실제로 보내 보기",

  async run([name, ...rest], config) {
    if ((name !== "sms" && name !== "mail") || rest.length > 0) throw new UsageFault();
    const channels = openChannels(config);
    const channel = channels[name];
    if (channel === undefined) throw new CommandFault(SETTINGS[name]);
    try {
      const outcomes = await sendTo(channel, config);
      for (const { recipient, outcome } of outcomes) {
        say(`${formatPhone(recipient)}: ${sentenceOn(outcome, name)}`);
      }
      return outcomes.every(({ outcome }) => hasArrived(outcome)) ? 0 : 1;
    } finally {
      await Promise.all([channels.sms?.close(), channels.mail?.close()]);
    }
  },
};

async function sendTo(channel: MessageChannel, config: Config) {
  const { recipients } = channel;
  const text = `[시험] 운전연수 신청 알림 시험입니다. 이 글이 보이면 설정이 맞습니다. ${seoulDateTime(Date.now())} ${new URL(config.siteUrl).host}`;
  const signal = AbortSignal.timeout(SEND_LIMIT_MS);
  const outcomes = await channel.send({ kind: "test", text }, recipients, { signal });
  return Promise.all(
    outcomes.map(async (outcome, index) => ({
      recipient: recipients[index] ?? "",
      outcome: await follow(outcome, channel),
    })),
  );
}

/** Follows a message that the provider took, for as long as the owner waits. */
async function follow(taken: SendOutcome, { tracking }: MessageChannel): Promise<SendOutcome> {
  let outcome = taken;
  const deadline = Date.now() + FOLLOW_MS;
  while (taken.outcome === "accepted" && tracking && Date.now() < deadline) {
    const answer = await tracking.follow(taken.providerId, AbortSignal.timeout(SEND_LIMIT_MS));
    const isFinal =
      answer.outcome === "delivered" ||
      (answer.outcome === "refused" && answer.providerId !== undefined);
    if (isFinal) return answer;
    if (answer.outcome === "accepted") outcome = answer;
    await pause(LOOK_EVERY_MS);
  }
  return outcome;
}

function hasArrived({ outcome }: SendOutcome): boolean {
  return outcome === "delivered" || outcome === "accepted";
}

function sentenceOn(outcome: SendOutcome, name: Channel): string {
  switch (outcome.outcome) {
    case "delivered":
      return name === "sms"
        ? "시험 문자가 휴대폰에 도착했습니다."
        : "메일 서버가 시험 메일을 받았습니다. 메일함(스팸함도)을 확인해 주세요.";
    case "accepted":
      return outcome.passedOn
        ? "시험 문자를 통신사에 넘겼습니다. 휴대폰을 확인해 주세요."
        : "Twilio가 시험 문자를 받았고 아직 보내는 중입니다. 잠시 뒤 휴대폰을 확인해 주세요.";
    case "retry":
      return `지금은 보내지 못했습니다. ${outcome.advice} (${outcome.error})`;
    case "refused":
      return `거부되었습니다. ${outcome.advice} (${outcome.error})`;
    case "held":
      return "보내지 않았습니다.";
    case "unknown":
      return `나갔는지 알 수 없습니다. ${outcome.advice} (${outcome.error})`;
  }
}
