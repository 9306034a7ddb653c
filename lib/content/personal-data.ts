/** The notice above the submit button; `{days}` is how long a delivered application is kept. */
export const personalData = {
  text: "{brand}가 신청 확인과 연락, 연수 일정 조율을 위해 위에 적어 주신 이름·전화번호·성별·나이·지역·일정·차량·말씀을 받아, 전달된 뒤 {days}일 동안 보관합니다. 원하지 않으면 적지 않아도 되지만, 그러면 신청서를 접수할 수 없습니다.",
  link: "개인정보 처리방침",
} as const;
