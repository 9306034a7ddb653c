/** `tel:` and `sms:` addresses, in the forms that both iOS and Android accept. */

/** Read out after a link that opens in a new tab. */
export const newTab = "(새 창에서 열림)";

/** `010-0000-0000` → `tel:01000000000`. */
export function telHref(phone: string): string {
  return `tel:${phone.replace(/[^\d+]/g, "")}`;
}

/** `010-0000-0000` and a text → `sms:01000000000?&body=…` (`?&body=` is what both systems read). */
export function smsHref(phone: string, body?: string): string {
  const number = phone.replace(/[^\d+]/g, "");
  return body === undefined ? `sms:${number}` : `sms:${number}?&body=${encodeURIComponent(body)}`;
}
