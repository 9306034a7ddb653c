/** Beside a number that is the main thing to press, for visitors at a desk. */
export const copyNumber = {
  copy: "번호 복사",
  copied: "복사했습니다",
  byHand: "번호를 선택했습니다. 직접 복사해 주세요.",
} as const;
