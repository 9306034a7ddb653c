/** The week's applications and what became of them, as the owner reads it in a mail or a text message. */
import { WEEK_MS } from "#lib/application/seoul-time.ts";
import type { OwnerMessage, WeeklySummary } from "#lib/channels/channel.ts";
import { CHANNEL_WORDS, STATE_WORDS, stateWord } from "#lib/channels/words.ts";
import type { FollowedApplication } from "#lib/storage/queries/owner.ts";

/** The owner has it, or a provider does. */
export function hasArrived({ state, channel }: FollowedApplication): boolean {
  return state === "done" || (state === "open" && channel !== undefined);
}

/** What a person wrote, as far as anybody can say. */
export function wantedIn({ applications }: Pick<WeeklySummary, "applications">) {
  return applications.filter(({ suspicion }) => suspicion === undefined);
}

/** `지난주`, `지난 2주`. */
export function spanName({ from, until }: WeeklySummary): string {
  const weeks = Math.round((until - from) / WEEK_MS);
  return weeks > 1 ? `지난 ${weeks}주` : "지난주";
}

/** `문자 3, 메일 2`: what has brought them, or where they stand. */
export function countsText(applications: readonly FollowedApplication[]): string {
  const words = applications.map((each) =>
    each.channel && hasArrived(each) ? CHANNEL_WORDS[each.channel] : stateWord(each),
  );
  const order = [...Object.values(CHANNEL_WORDS), ...Object.values(STATE_WORDS)];
  const counts = order.map((word) => [word, words.filter((each) => each === word).length] as const);
  return counts.flatMap(([word, count]) => (count > 0 ? [`${word} ${count}`] : [])).join(", ");
}

/**
 * The week in one text message. Beside the mail: with it the owner misses one that lies in a spam folder. In place of
 * one that did not go out it says so first.
 */
export function summaryText(
  message: Extract<OwnerMessage, { kind: "weekly" | "witness" }>,
): string {
  const wanted = wantedIn(message.summary);
  const list = wanted.length === 0 ? "" : `(${countsText(wanted)})`;
  const came = `${spanName(message.summary)} 신청 ${wanted.length}건${list}.`;
  if (message.kind === "witness") return `${came} 메일을 못 받으셨으면 스팸함을 봐 주세요.`;
  const instead = message.insteadOf === undefined ? "" : "메일을 못 보냈습니다. ";
  return `${instead}${came} 빠진 신청은 관리자에게 알려 주세요.`;
}
