/** The notice boxes of kept applications. application-result.ts has the texts that panel and dialog share with them. */
export const keptNotice = {
  title: "아직 보내지 못한 [신청서가 있습니다.]",
  sending: "보관한 신청서를 보내는 중입니다.",
  notSent: "지금은 보내지 못했습니다.",
  refused: "신청서가 [접수되지 않았습니다.]",
  /** Stands above the list of fields that the server refused. */
  correct: "‘고치기’를 눌러 [내용을 고치신 뒤] [다시 보내 주세요.]",
} as const;
