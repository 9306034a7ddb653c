import { afterClosingText } from "#lib/content/application-result.ts";

/** Shown in the notice boxes and in the dialog. */
export const willRetryText = `[연결되는 대로] [자동으로 보냅니다.] ${afterClosingText}`;

/** The notice boxes of kept applications. application-result.ts has the texts that panel and dialog share with them. */
export const keptBoxTexts = {
  title: "아직 보내지 못한 [신청서가 있습니다.]",
  sending: "보관한 신청서를 보내는 중입니다.",
  notSent: "지금은 보내지 못했습니다.",
  refused: "신청서가 [접수되지 않았습니다.]",
  /** Stands above the list of fields that the server refused. */
  correct: "‘고치기’를 눌러 [내용을 고치신 뒤] [다시 보내 주세요.]",
  now: "지금 보내기",
  /** Asked before 고치기 replaces what was typed in this tab. */
  editAsk: "이 탭에 적고 계신 내용을 지우고, 보관한 신청서를 여시겠습니까?",
  remove: "삭제",
  removeAsk: "이 신청서를 삭제하시겠습니까? 삭제하시면 더는 보내지 않습니다.",
} as const;
