export const notFoundTexts = {
  name: "없는 주소",
  title: "이 길은⏎없는 길입니다",
  lead: "주소가 바뀌었거나 잘못 입력되었습니다. 표지판에서 [가실 곳을] 골라 주세요.",
  sign: "갈 수 있는 곳",
  call: "전화로 물어보기",
} as const;

export const failurePageTexts = {
  title: "잠시 길이⏎막혔습니다",
  lead: "문제가 생겨 [이 페이지를] 열지 못했습니다. 잠시 뒤 [다시 시도해 주세요.] 급하시면 전화나 문자로 [연락해 주세요.]",
  again: "다시 시도하기",
} as const;

/** The page for a visitor who opens the address to which a form is posted. */
export const wrongMethodHtml = `<!doctype html>
<html lang="ko">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>열 수 없는 주소입니다</title>
<style>
body { max-width: 32rem; margin: 20vh auto; padding: 0 1.25rem; font-family: system-ui, sans-serif; line-height: 1.65; word-break: keep-all }
h1 { font-size: 1.75rem; line-height: 1.3 }
a { display: inline-block; padding: 0.5rem 0; color: inherit; font-weight: 600; text-underline-offset: 0.25em }
</style>
<h1>열 수 없는 주소입니다</h1>
<p>연수 신청은 신청 페이지에서 하실 수 있습니다.</p>
<p><a href="/contact">신청 페이지로 가기</a> · <a href="/">처음으로 가기</a></p>
</html>
`;

/** Plain text, because a flood of requests causes many of these responses. */
export const tooManyRequestsText = (phone: string) =>
  `요청이 너무 많습니다. 잠시 뒤 다시 시도해 주세요. 급하시면 ${phone} 번호로 전화나 문자를 주세요.`;
