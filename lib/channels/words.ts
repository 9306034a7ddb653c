import type { Suspicion } from "#lib/application/stored-application.ts";
import { CHANNEL_NAMES, type ChannelName } from "#lib/channels/names.ts";
import type { TrackedApplication } from "#lib/storage/queries/applications.ts";
import type { JobState } from "#lib/storage/tables.ts";

export const JOB_STATE_WORDS: Readonly<Record<JobState, string>> = {
  open: "대기",
  filed: "파일로 보관",
  done: "전달됨",
  "given-up": "직접 연락 필요",
  closed: "직접 연락함",
};

/** An open application has a channel once a provider has accepted its message. */
export function stateWord({ state, channel }: Pick<TrackedApplication, "state" | "channel">) {
  return state === "open" && channel !== undefined ? "도착 확인 중" : JOB_STATE_WORDS[state];
}

export const CHANNEL_WORDS: Readonly<Record<ChannelName, string>> = { sms: "문자", mail: "메일" };
/** `문자도 메일도` */
export const NEITHER_CHANNEL_WORDS = CHANNEL_NAMES.map((name) => `${CHANNEL_WORDS[name]}도`).join(
  " ",
);

export const SUSPICION_WORDS: Readonly<Record<Suspicion, string>> = {
  honeypot: "보이지 않는 칸이 채워짐",
  flooding: "같은 곳에서 여러 건",
};
