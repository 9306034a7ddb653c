import { setTimeout as pause } from "node:timers/promises";
import { type Command, CommandError, UsageError, withStore } from "#cli/applications/command.ts";
import { OUTCOME_WORDS } from "#cli/applications/show.ts";
import { formatPhone } from "#lib/application/phone.ts";
import { koreanDateTime } from "#lib/application/seoul-time.ts";
import type { Channel } from "#lib/channels/channel.ts";
import { PROVIDER_CHANNELS } from "#lib/channels/names.ts";
import { CHANNEL_DEFINITIONS } from "#lib/channels/registry.ts";
import { CHANNEL_WORDS } from "#lib/channels/words.ts";
import { createRecorder } from "#lib/delivery/record.ts";
import { attemptTimeoutMs } from "#lib/delivery/retry.ts";
import type { Answer } from "#lib/storage/outcomes.ts";

const FOLLOW_TIMEOUT_MS = 30_000;
const STATUS_CHECK_PAUSE_MS = 2_000;

export const testSendCommand: Command = {
  usage: `test-send ${PROVIDER_CHANNELS.join("|")}`,
  purpose: "시험 메시지를 한 통 실제로 보내 보기",

  async run([typed, ...rest], config) {
    const name = PROVIDER_CHANNELS.find((each) => each === typed);
    if (name === undefined || rest.length > 0) throw new UsageError();
    const definition = CHANNEL_DEFINITIONS[name];
    const channel = definition.open(config);
    if (channel === undefined) {
      throw new CommandError(
        `${CHANNEL_WORDS[name]} 설정이 없습니다. .env에 ${definition.settingNames} 설정을 넣어 주세요.`,
      );
    }
    const text = `[시험] 운전연수 신청 알림 시험입니다. 이 글이 보이면 설정이 맞습니다. ${koreanDateTime(Date.now())} ${new URL(config.siteUrl).host}`;
    const message = { kind: "test", text } as const;
    const segments = channel.segments(message);
    // Said before sending, because a mail server may take ten minutes for its reply.
    console.info("시험 메시지를 보냅니다. 상대 서버의 답이 늦으면 몇 분 뒤에 결과가 나옵니다.");
    const tests = await Promise.all(
      channel.recipients.map(async (recipient) => {
        const signal = AbortSignal.timeout(attemptTimeoutMs(channel));
        const answer = await channel.transmit(message, recipient, { signal });
        return { recipient, segments, answer: await followTest(answer, channel) };
      }),
    );
    // The test is stored, because a text counts towards the caps. A delivered test shows that its channel works, so
    // what waits for the channel becomes due.
    await withStore(config, (store) => {
      const recorder = createRecorder({
        channels: { [name]: channel },
        now: store.now,
        random: Math.random,
      });
      return store.change((trx) => recorder.recordTest(trx, name, tests));
    }).catch(() =>
      console.info(
        "시험 결과를 데이터베이스에 적지 못했습니다. 기다리는 신청은 사이트를 다시 시작하면 전달됩니다.",
      ),
    );
    for (const { recipient, answer } of tests) {
      const { outcome, fault } = answer;
      const what =
        outcome === "delivered" ? definition.deliveredWords : `${OUTCOME_WORDS[outcome]}.`;
      const why = fault ? ` ${fault.advice}` : "";
      console.info(`${formatPhone(recipient)}: ${what}${why}`);
    }
    if (tests.some(({ answer }) => answer.fault))
      throw new CommandError("모두에게 보내지는 못했습니다. 위에 적힌 이유를 고쳐 주세요.");
    console.info(definition.whereToLook);
  },
};

/** Asks for up to 30 s what became of an accepted test. An answer `unknown` does not replace the last one. */
async function followTest(first: Answer, { statusChecks }: Channel): Promise<Answer> {
  let last = first;
  const deadline = Date.now() + FOLLOW_TIMEOUT_MS;
  while (last.outcome === "accepted" && statusChecks && Date.now() < deadline) {
    await pause(STATUS_CHECK_PAUSE_MS);
    const signal = AbortSignal.timeout(FOLLOW_TIMEOUT_MS);
    const answer = await statusChecks.fetchStatus(last.providerId ?? "", signal);
    if (answer.outcome !== "unknown") last = answer;
  }
  return last;
}
