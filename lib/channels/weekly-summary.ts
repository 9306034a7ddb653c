/** The applications of the week and their states, as mail and text message describe them. */
import { WEEK } from "#lib/application/durations.ts";
import type { MessageOf, WeeklySummary } from "#lib/channels/channel.ts";
import { CHANNEL_WORDS, STATE_WORDS, stateWord } from "#lib/channels/words.ts";
import type { TrackedApplication } from "#lib/storage/queries/applications.ts";

/** True if the owner or a provider has the application. */
export function isSentOrDone({ state, channel }: TrackedApplication): boolean {
  return state === "done" || (state === "open" && channel !== undefined);
}

/** `문자 3, 메일 2`: how many applications each channel delivered, and how many are in each other state. */
function countsText(applications: readonly TrackedApplication[]): string {
  const words = applications.map((each) =>
    each.channel && isSentOrDone(each) ? CHANNEL_WORDS[each.channel] : stateWord(each),
  );
  const order = [...Object.values(CHANNEL_WORDS), ...Object.values(STATE_WORDS)];
  const counts = order.map((word) => [word, words.filter((each) => each === word).length] as const);
  return counts.flatMap(([word, count]) => (count > 0 ? [`${word} ${count}`] : [])).join(", ");
}

export function summaryWords({ from, until, applications, isFirst }: WeeklySummary) {
  const genuine = applications.filter(({ suspicion }) => suspicion === undefined);
  const weeks = Math.round((until - from) / WEEK);
  const span = weeks > 1 ? `지난 ${weeks}주` : "지난주";
  return {
    span,
    title: `${span} 신청 ${genuine.length}건`,
    counts: countsText(genuine),
    /** The applications that do not look automated. */
    genuine,
    welcome: isFirst && applications.length === 0 ? "오늘부터 신청을 알려 드립니다." : undefined,
  };
}

/** The week in one text message, in place of the mail or beside it. */
export function summaryText({ kind, summary }: MessageOf<"weekly-summary" | "weekly-count">) {
  const { title, counts, welcome } = summaryWords(summary);
  const head = welcome ?? `${title}${counts && `(${counts})`}.`;
  if (kind === "weekly-count") return `${head} 메일을 못 받으셨으면 스팸함을 봐 주세요.`;
  return welcome
    ? `${head} 이 문자가 보이면 설정이 맞습니다.`
    : `${head} 빠진 신청은 관리자에게 알려 주세요.`;
}
