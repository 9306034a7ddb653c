import { type ChannelName, PROVIDER_CHANNELS } from "#lib/channels/names.ts";
import { isIn, NEW_OR_OPEN, type NoticeState } from "#lib/storage/outcomes.ts";
import type { ApplicationWithState } from "#lib/storage/queries/applications.ts";
import type { Suspicion } from "#lib/storage/stored-application.ts";

export const NOTICE_STATE_WORDS: Readonly<Record<NoticeState, string>> = {
  new: "대기",
  open: "대기",
  sent: "도착 확인 중",
  filed: "파일로 보관",
  done: "전달됨",
  "given-up": "직접 연락 필요",
  closed: "직접 연락함",
};

/** `일부 보냄`: one message is sent, and another one, or the full text, has still to be sent. */
export const deliveryWord = ({
  state,
  channel,
}: Pick<ApplicationWithState, "state" | "channel">) =>
  channel !== undefined && isIn(NEW_OR_OPEN, state) ? "일부 보냄" : NOTICE_STATE_WORDS[state];

export function stateWord(tracked: Pick<ApplicationWithState, "state" | "channel" | "calledAt">) {
  const isDoneAndCalled = tracked.state === "done" && isCalled(tracked);
  return isDoneAndCalled ? NOTICE_STATE_WORDS.closed : deliveryWord(tracked);
}

export const isCalled = ({ calledAt }: Pick<ApplicationWithState, "calledAt">) =>
  calledAt !== undefined;

export const CHANNEL_WORDS: Readonly<Record<ChannelName, string>> = {
  sms: "문자",
  mail: "메일",
  file: "파일",
};
/** `문자도 메일도` */
export const NEITHER_CHANNEL_WORDS = PROVIDER_CHANNELS.map(
  (name) => `${CHANNEL_WORDS[name]}도`,
).join(" ");

export const SUSPICION_WORDS: Readonly<Record<Suspicion, string>> = {
  honeypot: "보이지 않는 칸이 채워짐",
  flooding: "같은 곳에서 여러 건",
};
