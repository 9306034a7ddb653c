/** The owner's words for states, transports and suspicions. */
import type { Transport } from "#lib/application/delivery.ts";
import type { DeliveryState } from "#lib/application/delivery-states.ts";
import type { Suspicion } from "#lib/application/stored-application.ts";

export const STATE_WORDS: Readonly<Record<DeliveryState, string>> = {
  waiting: "대기",
  leased: "보내는 중",
  sent: "도착 확인 중",
  refused: "거부됨",
  unknown: "발송 확인 중",
  filed: "파일로 보관",
  delivered: "전달됨",
  "needs-owner": "직접 연락 필요",
};

export const TRANSPORT_WORDS: Readonly<Record<Transport, string>> = {
  sms: "문자",
  mail: "메일",
  file: "파일",
};

export const SUSPICION_WORDS: Readonly<Record<Suspicion, string>> = {
  honeypot: "보이지 않는 칸이 채워짐",
  flooding: "같은 곳에서 여러 건",
};

/** Between two facts: it ends a line, and never begins one. */
export const DOT = "\u00a0· ";
