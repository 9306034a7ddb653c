import type { Offer } from "#lib/content/prices.ts";

export const FORM_PAGE_PATH = "/contact";
export const FORM_ID = "form";
/** The id of the prices on the home page. */
export const PRICES_ID = "prices";
export const formHref = `${FORM_PAGE_PATH}#${FORM_ID}`;

/** The link chooses a car, a region or a wish by its id, and lib/browser/prefill.ts reads the link. */
export function prefilledFormHref(
  chosen: { car: Offer["id"] } | { region: string } | { wish: string },
) {
  const query = Object.entries(chosen).map(([name, value]) => `${name}=${value}`);
  return `${FORM_PAGE_PATH}?${query}#${FORM_ID}`;
}

/** Names the kept application that the form takes back from the device. */
export const EDIT_PARAMETER = "edit";

export function editHref(id: string): string {
  return `${FORM_PAGE_PATH}?${EDIT_PARAMETER}=${encodeURIComponent(id)}#${FORM_ID}`;
}

/** Screen readers read this after a link that opens in a new tab. */
export const newTabLabel = "(새 창에서 열림)";

/** `010-0000-0000` → `tel:01000000000`. */
export function telHref(phone: string): string {
  return `tel:${phone.replace(/[^\d+]/g, "")}`;
}

/** `sms:01000000000?&body=…`, which both iOS and Android understand. */
export function smsHref(phone: string, body?: string): string {
  const number = phone.replace(/[^\d+]/g, "");
  return body === undefined ? `sms:${number}` : `sms:${number}?&body=${encodeURIComponent(body)}`;
}

export const copyPhoneLabels = {
  copy: "번호 복사",
  copied: "복사했습니다",
  byHand: "번호를 선택했습니다. 직접 복사해 주세요.",
} as const;
