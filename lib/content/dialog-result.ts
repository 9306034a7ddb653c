/** What the dialog on the home page says when the server has the application. */
export const success = {
  toast: "연수 신청이 성공적으로 접수되었습니다!",
  number: "접수번호",
} as const;
