import { willRetryText } from "#lib/content/kept-box.ts";

export const receivedToast = { title: "연수 신청이 성공적으로 접수되었습니다!" } as const;

/** The box in the dialog after an application could not be sent. */
export const dialogFailureTexts = {
  title: "연수 신청 처리 중 [오류가 발생했습니다.] [다시 시도해 주세요.]",
  kept: `적어 주신 내용은 [이 기기에 보관했습니다.] ${willRetryText}`,
} as const;
