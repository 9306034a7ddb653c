/** Who the business is. The number and the registered facts can also be set in the environment. */
export const business = {
  name: "차근차근 운전연수",
  /** The one inquiry number, where INQUIRY_PHONE does not name another. */
  inquiryPhone: "010-0000-0000",
} as const;

/** What 문자로 신청하기 puts into the visitor's message app: the form, to be filled in there. */
export const blankApplication = [
  "운전연수 신청",
  "이름: ",
  "성별: ",
  "나이: ",
  "지역: ",
  "희망 날짜: ",
  "요일: ",
  "시간대: ",
  "차량: ",
].join("\n");

/**
 * The one outside host that photos may come from. They are fetched through the site's own image
 * optimizer, so that a visitor's browser never talks to it.
 */
export const STOCK_PHOTO_HOST = "images.unsplash.com";
