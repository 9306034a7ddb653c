/** Who the business is. The number and the registered facts can also be set in the environment. */
export const business = {
  name: "차근차근 운전연수",
  /** The one inquiry number, where INQUIRY_PHONE does not name another. */
  inquiryPhone: "010-0000-0000",
} as const;

/** What every text-message link puts into the visitor's message app, to be filled in there. */
export const smsTemplate = "운전연수 신청: 성별/나이/지역/날짜/요일/시간대/차량";

/**
 * The one outside host that photos may come from. They are fetched through the site's own image
 * optimizer, so that a visitor's browser never talks to it.
 */
export const STOCK_PHOTO_HOST = "images.unsplash.com";
