/** The redirect leads to this anchor: without JavaScript, only an address can move the focus to the result. */
export const FORM_RESULT_ID = "form-result";

export const formResultTexts = {
  title: "신청 결과",
  /** Screen readers read the title first, so it says that there is an error. */
  refusedPageTitle: "오류: 신청 결과",
  refusedTitle: "신청을 접수하지 못했습니다",
  goneTitle: "신청 결과를 [보여 드릴 수 없습니다]",
  goneLead:
    "결과는 신청하신 뒤 30분 동안, 쿠키를 허용한 브라우저에서만 보실 수 있습니다. 접수번호를 받으셨다면 신청은 그대로 접수되어 있습니다. 접수되었는지 궁금하시면 [전화로 확인해 주세요.]",
  again: "연수 신청 페이지로",
  call: "전화로 물어보기",
} as const;
